import type { AttemptRecord, CallRecord } from "./run-scripted.ts";
import type { ScriptedCall } from "./scripted-calls.ts";

type Invariant = (call: ScriptedCall, record: CallRecord) => boolean;

/** What holds for every call, even if other calls run at the same time. */
const INVARIANTS: Readonly<Record<string, Invariant>> = {
  "makes no more than three attempts": (_, { attempts }) => attempts.length <= 3,
  "starts no attempt without time left": (_, { attempts }) => attempts.every(({ leftMs }) => leftMs > 0),
  "repeats a call that may have had an effect only if it is repeatable, whatever the peer says": (call, { attempts }) =>
    call.repeatable || attempts.slice(0, -1).every(({ fault }) => fault?.effect === "none"),
  "repeats a call on a guessed fault only if it is repeatable": (call, { attempts }) =>
    call.repeatable || attempts.slice(0, -1).every(({ fault }) => fault?.basis !== "guessed"),
  "waits no less than the peer asked for": (_, { attempts }) =>
    attempts.every(({ startMs }, index) => {
      const { endMs = 0, fault } = attempts[index - 1] ?? {};
      return startMs - endMs >= (fault?.retry?.afterMs ?? 0);
    }),
  "ends by its deadline": (call, record) => durationOf(record) <= (call.deadlineMs ?? Number.POSITIVE_INFINITY),
  "ends at once when it is aborted": (call, record) =>
    durationOf(record) <= Math.max(call.abortMs ?? Number.POSITIVE_INFINITY, 0),
  "repeats as often as it reports": (_, { attempts, entries }) => {
    const repeats = entries.filter(({ decision }) => decision?.do === "repeat").length;
    // A repetition that was decided may still be aborted, refused, or find no time left.
    return repeats === Math.max(attempts.length - 1, 0) || (repeats === attempts.length && entries.length > repeats);
  },
  "waits as long as it reports": (_, { attempts, entries }) =>
    entries.every(({ decision, endedMs }, index) => {
      const after = attempts[index + 1];
      return decision?.do !== "repeat" || after === undefined || after.startMs === endedMs + decision.waitMs;
    }),
  "reports in its last entry how it ended": (_, { attempts, entries, outcome }) => {
    const last = entries.at(-1);
    if (outcome.ok === true) return last?.fault === undefined && last?.decision === undefined;
    const { tried } = outcome.fault;
    const { decision } = last ?? {};
    const isStop = decision?.do === "stop" && last?.fault === outcome.fault && last.attempt === attempts.length;
    // A first failure that the fault alone decides has no `tried`.
    return (
      isStop && (tried === undefined ? attempts.length === 1 && decision.rule <= 2 : tried.stopped === decision.why)
    );
  },
  "reports what was tried": (_, record) => {
    const tried = record.outcome.ok === false ? record.outcome.fault.tried : undefined;
    if (tried === undefined) return true;
    return tried.attempts === record.attempts.length && tried.elapsedMs === Math.ceil(durationOf(record));
  },
  "recommends no retry that could do harm": (call, { outcome }) =>
    outcome.ok === true ||
    call.repeatable ||
    outcome.fault.effect === "none" ||
    outcome.fault.recourse.every((move) => move.do !== "retry"),
  "never forgets an effect": (_, { attempts, outcome }) =>
    outcome.ok === true ||
    outcome.fault.effect !== "none" ||
    attempts.every(({ fault }) => (fault?.effect ?? "none") === "none"),
  "takes no token that is not there": (_, { attempts }) => attempts.every(({ status }) => status.tokens >= 0),
};

function durationOf({ beganMs, endedMs }: CallRecord): number {
  return endedMs - beganMs;
}

/** The invariants that a call violates. */
export function violatedInvariants(call: ScriptedCall, record: CallRecord): string[] {
  return Object.entries(INVARIANTS).flatMap(([name, holds]) => (holds(call, record) ? [] : [name]));
}

/** How many probes were sent while another probe was running. */
export function overlappingProbes(calls: readonly CallRecord[]): number {
  const endOf = (attempt: AttemptRecord, call: CallRecord) => Math.min(attempt.endMs ?? call.endedMs, call.endedMs);
  const probes = calls
    .flatMap((call) => call.attempts.map((attempt) => ({ ...attempt, endMs: endOf(attempt, call) })))
    .filter(({ status }) => status.heldBackTools.length > 0)
    .sort((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);
  return probes.filter(({ startMs }, index) => startMs < (probes[index - 1]?.endMs ?? 0)).length;
}
