import type { Fault, Tried } from "../fault/fault.ts";
import { isRetryable, KINDS, knownKind, type RetryCondition } from "../fault/kinds.ts";
import { type WaitSource, waitFor } from "./backoff.ts";
import { type RetryPolicy, toPolicy } from "./policy.ts";

/** Why a call is not made again. */
export type StopReason = Tried["stopped"];

/** What was obtained after a failure, so that the next attempt differs from the one that was refused. */
export type Reauthorized = "credentials" | "approval";

/** What `decide` needs to know. */
export interface RetrySituation {
  /** How the last attempt failed. */
  readonly fault: Fault;
  /** How many times the call was made so far, at least once. */
  readonly attempts: number;
  /** The time until the deadline of the whole call. Infinity without a deadline. */
  readonly leftMs: number;
  /**
   * Whether making the call twice is safe: you know it, the server honours the idempotency key of this call, or a trusted
   * server annotated the tool as read-only or idempotent.
   */
  readonly repeatable: boolean;
  /** What was obtained after this failure. Pass it at most once per call. @default nothing */
  readonly reauthorized?: Reauthorized | undefined;
  /** A random number in [0, 1). */
  readonly random: number;
  /** How often and how long to retry. @default the defaults of each field */
  readonly policy?: Partial<RetryPolicy> | undefined;
}

/** Make the call again after the wait. */
export interface RepeatDecision {
  /** What to do. */
  readonly do: "repeat";
  /** How long to wait first, in milliseconds. */
  readonly waitMs: number;
  /** Where the wait comes from. `reauthorized` means that new credentials or an approval made the retry possible. */
  readonly by: WaitSource | "reauthorized";
}

/** Do not make the call again. */
export interface StopDecision {
  /** What to do. */
  readonly do: "stop";
  /** Why not. */
  readonly why: StopReason;
  /** The number of the rule that decided. */
  readonly rule: number;
  /** How long the wait would have been, if that is known. */
  readonly waitMs?: number;
}

/** What to do after a failure. */
export type Decision = RepeatDecision | StopDecision;

/** The rules in the order in which they apply. `decide` knows the first five, the engine adds the others. */
const RULE_NUMBERS = {
  refused: 1,
  final: 2,
  guessed: 2,
  unsafe: 3,
  deadline: 4,
  attempts: 5,
  budget: 6,
  breaker: 7,
  aborted: 8,
  looping: 9,
} as const satisfies Record<StopReason, number>;

/** A decision to stop, with its rule. */
export function stopFor(why: StopReason, waitMs?: number): StopDecision {
  return { do: "stop", why, rule: RULE_NUMBERS[why], ...(waitMs !== undefined && { waitMs }) };
}

const AUTHORIZATION_FOR: Readonly<Partial<Record<RetryCondition, Reauthorized>>> = {
  after_credentials: "credentials",
  after_approval: "approval",
};

/** What has to be obtained before this call can be made again. Undefined if nothing would help. */
export function missingAuthorization(fault: Fault): Reauthorized | undefined {
  return AUTHORIZATION_FOR[KINDS[knownKind(fault)].retryWhen];
}

/**
 * Decides whether a failed call may be made again, and which rule decided. It is pure: use it if you retry yourself.
 *
 * @example
 * const decision = decide({ fault, attempts: 1, leftMs: 30_000, repeatable: true, random: Math.random() });
 * if (decision.do === "repeat") await sleep(decision.waitMs);
 * else console.log(decision.why);
 */
export function decide(situation: RetrySituation): Decision {
  const { fault, attempts, leftMs, repeatable } = situation;
  const policy = toPolicy(situation.policy);
  // A peer refuses the call as it was made. With new credentials or an approval it is another call.
  const isReauthorized = situation.reauthorized !== undefined && missingAuthorization(fault) === situation.reauthorized;
  if (fault.retry?.allowed === false && !isReauthorized) return stopFor("refused");
  const isInvited = fault.retry?.allowed === true || isReauthorized;
  if (!isInvited && !isRetryable(knownKind(fault))) return stopFor("final");
  if (fault.basis === "guessed") return stopFor("guessed");
  if (fault.effect !== "none" && !repeatable) return stopFor("unsafe");
  const wait = waitFor({ fault, attempts, random: situation.random, policy });
  const waitMs = isReauthorized && wait.by !== "peer" ? 0 : wait.waitMs;
  if (waitMs > policy.maxWaitMs || !(waitMs + policy.minAttemptMs <= leftMs)) return stopFor("deadline", waitMs);
  // Peers state the same limit with every failure, so it counts from the first attempt. It can only lower ours.
  const maxAttempts = Math.min(policy.attempts, 1 + (fault.retry?.maxAttempts ?? policy.attempts));
  if (!(attempts < maxAttempts)) return stopFor("attempts", waitMs);
  return { do: "repeat", waitMs, by: isReauthorized ? "reauthorized" : wait.by };
}
