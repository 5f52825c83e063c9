import type { Made, Seen } from "./drive.ts";
import type { Scripted } from "./script.ts";

type Law = (call: Scripted, seen: Seen) => boolean;

/** What must hold of every call, whatever else goes on at the same time. */
const LAWS: Readonly<Record<string, Law>> = {
  "makes no more than three attempts": (_, { made }) => made.length <= 3,
  "begins no attempt without time": (_, { made }) => made.every(({ leftMs }) => leftMs > 0),
  "repeats what may have had an effect only if that does no harm, whatever the peer says": (call, { made }) =>
    call.repeatable || made.slice(0, -1).every(({ fault }) => fault?.effect === "none"),
  "repeats nothing on a guess": (_, { made }) => made.slice(0, -1).every(({ fault }) => fault?.basis !== "guessed"),
  "waits no less than the peer asked for": (_, { made }) =>
    made.every(({ startMs }, index) => {
      const { endMs = 0, fault } = made[index - 1] ?? {};
      return startMs - endMs >= (fault?.retry?.afterMs ?? 0);
    }),
  "ends by its deadline": (call, seen) => lasted(seen) <= (call.deadlineMs ?? Number.POSITIVE_INFINITY),
  "ends at once when it is aborted": (call, seen) =>
    lasted(seen) <= Math.max(call.abortMs ?? Number.POSITIVE_INFINITY, 0),
  "repeats as often as it says": (_, { made, entries }) => {
    const repeats = entries.filter(({ decision }) => decision?.do === "repeat").length;
    // A repetition that was decided may still be aborted, refused, or find no time left.
    return repeats === Math.max(made.length - 1, 0) || (repeats === made.length && entries.length > repeats);
  },
  "waits as long as it says": (_, { made, entries }) =>
    entries.every(({ decision, endedMs }, index) => {
      const after = made[index + 1];
      return decision?.do !== "repeat" || after === undefined || after.startMs === endedMs + decision.waitMs;
    }),
  "says last how it ended": (_, { made, entries, outcome }) => {
    const last = entries.at(-1);
    if (outcome.ok === true) return last?.fault === undefined && last?.decision === undefined;
    const { tried } = outcome.fault;
    const { decision } = last ?? {};
    const isStop = decision?.do === "stop" && last?.fault === outcome.fault && last.attempt === made.length;
    // A first failure that the fault alone decides is told as it is.
    return isStop && (tried === undefined ? made.length === 1 && decision.rule <= 2 : tried.stopped === decision.why);
  },
  "tells what was tried": (_, seen) => {
    const tried = seen.outcome.ok === false ? seen.outcome.fault.tried : undefined;
    if (tried === undefined) return true;
    return tried.attempts === seen.made.length && tried.elapsedMs === Math.ceil(lasted(seen));
  },
  "invites no repetition that could do harm": (call, { outcome }) =>
    outcome.ok === true ||
    call.repeatable ||
    outcome.fault.effect === "none" ||
    outcome.fault.recourse.every((move) => move.do !== "retry"),
  "never forgets an effect": (_, { made, outcome }) =>
    outcome.ok === true ||
    outcome.fault.effect !== "none" ||
    made.every(({ fault }) => (fault?.effect ?? "none") === "none"),
  "keeps repetitions a part of the traffic": (_, { made }) =>
    made.every(({ status }) => status.tokens >= 0 && status.repetitions <= Math.max(3, 0.2 * status.calls)),
};

function lasted({ beganMs, endedMs }: Seen): number {
  return endedMs - beganMs;
}

/** The laws that a call broke. */
export function brokenLaws(call: Scripted, seen: Seen): string[] {
  return Object.entries(LAWS).flatMap(([law, holds]) => (holds(call, seen) ? [] : [law]));
}

/** How many probes were sent while another one was under way. */
export function overlappingProbes(calls: readonly Seen[]): number {
  const end = (one: Made, seen: Seen) => Math.min(one.endMs ?? seen.endedMs, seen.endedMs);
  const probes = calls
    .flatMap((seen) => seen.made.map((one) => ({ ...one, endMs: end(one, seen) })))
    .filter(({ status }) => status.breaker === "half-open")
    .sort((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);
  return probes.filter(({ startMs }, index) => startMs < (probes[index - 1]?.endMs ?? 0)).length;
}
