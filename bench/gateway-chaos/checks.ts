// What must be true of a run, from the ledgers of the upstreams and the records of the callers.
import type { CallRecord, Effect } from "./records.ts";

/** One thing that must not happen, how often it could have, and how often it did. */
export interface Check {
  readonly name: string;
  readonly looked: number;
  readonly bad: number;
  /** Some of the cases. */
  readonly cases: readonly string[];
}

/** All calls for one intention, in their order. */
export interface Chain {
  readonly id: string;
  readonly upstream: string;
  readonly isKeyed: boolean;
  readonly calls: readonly CallRecord[];
  /** When its effect was made, each time, in ms since 1970. */
  readonly effects: readonly number[];
}

/** How long a call may take beyond its deadline: the machine is busy, and timers come late. */
const MARGIN_MS = 2_000;
const MAX_CASES = 5;

/** Puts the records and the ledgers together. */
export function chainsOf(calls: readonly CallRecord[], effects: readonly Effect[]): readonly Chain[] {
  const made = Map.groupBy(effects, ({ id }) => id);
  const byId = Map.groupBy(calls, ({ id }) => id);
  return [...byId].map(([id, own]) => {
    const ordered = own.toSorted((a, b) => a.turn - b.turn);
    const [{ upstream, isKeyed }] = ordered as [CallRecord];
    return { id, upstream, isKeyed, calls: ordered, effects: (made.get(id) ?? []).map(({ atMs }) => atMs) };
  });
}

/** The promises about effects and answers. */
export function checksOf(chains: readonly Chain[], deadlineMs: number): readonly Check[] {
  const calls = chains.flatMap((chain) => chain.calls);
  const keyed = chains.filter(({ isKeyed }) => isKeyed);
  const succeeded = (chain: Chain) => chain.calls.some(({ ok }) => ok);
  const saysNone = ({ ok, effect }: CallRecord) => !ok && effect === "none";
  return [
    checkChains(
      "an effect without a key was made twice",
      chains.filter(({ isKeyed }) => !isKeyed),
      ({ effects }) => effects.length > 1,
    ),
    checkChains(
      "an effect with a key was made twice, keys not honoured upstream",
      keyed.filter(({ upstream }) => upstream === "plain"),
      ({ effects }) => effects.length > 1,
    ),
    checkChains(
      "an effect with a key was not made exactly once, keys honoured upstream",
      keyed.filter((chain) => chain.upstream === "honours" && succeeded(chain)),
      ({ effects }) => effects.length !== 1,
    ),
    checkChains(
      "a call with a key never succeeded, keys honoured upstream",
      keyed.filter(({ upstream }) => upstream === "honours"),
      (chain) => !succeeded(chain),
    ),
    checkChains("a success without an effect", chains.filter(succeeded), ({ effects }) => effects.length === 0),
    checkChains(
      "an answer said that nothing was done, and something was",
      chains.filter(({ calls: [first] }) => first !== undefined && saysNone(first)),
      ({ calls: own, effects }) => {
        // The next call may have an effect of its own.
        const nextMs = own.find((call) => !saysNone(call))?.startMs ?? Number.POSITIVE_INFINITY;
        return effects.some((atMs) => atMs < nextMs);
      },
    ),
    checkCalls("a fault that says nothing about what to do", calls, ({ ok, moves }) => !ok && !moves?.length),
    checkCalls(
      "a repetition was advised that is not safe",
      calls.filter(({ isKeyed }) => !isKeyed),
      ({ ok, effect, moves }) => !ok && effect !== "none" && moves?.includes("retry") === true,
    ),
    checkCalls(
      "a call that ended later than its deadline allows",
      calls,
      ({ startMs, endMs, stalledMs }) => endMs - startMs - stalledMs > deadlineMs + MARGIN_MS,
    ),
    // A sentence of a tool, `tool/failed`, tells what the tool has to say.
    checkCalls("a fault of a reason that tells nothing", calls, ({ reason }) => reason === "core/unrecognised"),
    checkCalls("planted text reached a model", calls, ({ leaks }) => leaks.length > 0),
  ];
}

function checkChains(name: string, looked: readonly Chain[], isBad: (chain: Chain) => boolean): Check {
  const bad = looked.filter(isBad);
  return { name, looked: looked.length, bad: bad.length, cases: bad.slice(0, MAX_CASES).map(storyOf) };
}

function checkCalls(name: string, looked: readonly CallRecord[], isBad: (call: CallRecord) => boolean): Check {
  const bad = looked.filter(isBad);
  const cases = bad
    .slice(0, MAX_CASES)
    .map(
      (call) => `${call.id}: ${endOf(call)} after ${call.endMs - call.startMs} ms, ${call.stalledMs} of them stalled`,
    );
  return { name, looked: looked.length, bad: bad.length, cases };
}

/** A chain in one line, for those who look for the cause. */
function storyOf({ id, upstream, isKeyed, calls, effects }: Chain): string {
  const fate = calls[0]?.fate ?? "";
  const ends = calls.map((call) => `${endOf(call)} (${call.requests} requests)`);
  return `${id} at ${upstream}, ${isKeyed ? "keyed" : "no key"}, "${fate}", ${effects.length} effects: ${ends.join(" → ")}`;
}

function endOf({ ok, reason, effect }: CallRecord): string {
  return ok ? "success" : `${reason}, effect ${effect}`;
}
