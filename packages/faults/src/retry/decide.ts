import type { Fault, Tried } from "../fault/fault.ts";
import { KINDS, knownKind, type Repeat } from "../fault/kinds.ts";
import { type WaitSource, waitFor } from "./backoff.ts";
import { type Policy, toPolicy } from "./policy.ts";

/** Why a call is not made again. */
export type Stopped = Tried["stopped"];

/** What was got since the failure: it makes the call another one than the peer refused. */
export type Renewed = "credentials" | "approval";

/** Everything that the decision depends on. */
export interface Situation {
  /** How the last attempt failed. */
  readonly fault: Fault;
  /** Made so far, at least one. */
  readonly attempts: number;
  /** Until the one deadline over all attempts; Infinity when there is none. */
  readonly leftMs: number;
  /** The caller said so, or the peer honours the key of this call, or a trusted server marked the tool. */
  readonly repeatable: boolean;
  /** What was got since this failure; it counts once per call, which is the caller's to see to. */
  readonly renewed?: Renewed | undefined;
  /** In [0, 1). */
  readonly random: number;
  readonly policy?: Partial<Policy> | undefined;
}

/** Make the call again after the wait. */
export interface RepeatDecision {
  readonly do: "repeat";
  readonly waitMs: number;
  /** On whose word: a wait that was named or drawn, or a renewal that made the call another one. */
  readonly by: WaitSource | "renewed";
}

/** Leave it at this failure. */
export interface StopDecision {
  readonly do: "stop";
  readonly why: Stopped;
  /** The rule that ended it, as numbered in `RULE_OF`. */
  readonly rule: number;
  /** How long it would have been to wait, where that is known. */
  readonly waitMs?: number;
}

/** What to do after a failure, and why. */
export type Decision = RepeatDecision | StopDecision;

/** The rules in the order of the contract; the engine adds those that need more than the failure itself. */
const RULE_OF = {
  told: 1,
  final: 2,
  guessed: 2,
  unsafe: 3,
  deadline: 4,
  attempts: 5,
  budget: 6,
  breaker: 7,
  aborted: 8,
  looping: 9,
} as const satisfies Record<Stopped, number>;

/** A decision to stop, with the rule that it follows. */
export function stopFor(why: Stopped, waitMs?: number): StopDecision {
  return { do: "stop", why, rule: RULE_OF[why], ...(waitMs !== undefined && { waitMs }) };
}

/** What has to be got before a call of this sort makes sense again. */
export const RENEWS = {
  never: undefined,
  authenticated: "credentials",
  approved: "approval",
  waited: undefined,
  harmless: undefined,
} as const satisfies Record<Repeat, Renewed | undefined>;

/** Decides whether a failed call may be made again: pure, and it says which rule decided. */
export function decide(situation: Situation): Decision {
  const { fault, attempts, leftMs, repeatable } = situation;
  const { repeat } = KINDS[knownKind(fault)];
  const policy = toPolicy(situation.policy);
  // A peer's "no" is about the call as it was made; with new credentials or an approval it is another one.
  const renewed = situation.renewed !== undefined && RENEWS[repeat] === situation.renewed;
  if (fault.retry?.allowed === false && !renewed) return stopFor("told");
  const invited = fault.retry?.allowed === true || renewed;
  if (!invited && repeat !== "waited" && repeat !== "harmless") return stopFor("final");
  if (fault.basis === "guessed") return stopFor("guessed");
  if (fault.effect !== "none" && !repeatable) return stopFor("unsafe");
  const { waitMs, by } = waitFor({ fault, attempts, random: situation.random, policy });
  const waits = renewed && by !== "peer" ? 0 : waitMs;
  if (waits > policy.patienceMs || !(waits + policy.roomMs <= leftMs)) return stopFor("deadline", waits);
  // Peers state their limit as a constant, so it is counted from the first attempt, and it can only lower ours.
  const limit = Math.min(policy.attempts, 1 + (fault.retry?.maxAttempts ?? policy.attempts));
  if (!(attempts < limit)) return stopFor("attempts", waits);
  return { do: "repeat", waitMs: waits, by: renewed ? "renewed" : by };
}
