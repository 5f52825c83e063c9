import { amendFault, worseEffect } from "../fault/amend.ts";
import { FAULT_MEMBERS } from "../fault/clean.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault, Origin, Recourse, Tried } from "../fault/fault.ts";
import { type Effect, isRetryable, KINDS, knownKind, type RetryCondition } from "../fault/kinds.ts";
import { cancelled } from "../reasons/library/core.ts";
import { breaker_open, not_connected, not_sent, unreachable } from "../reasons/library/transport.ts";
import { computeWait, type RetryPolicy, toRetryPolicy, type WaitSource } from "./policy.ts";

/** Why a call is not made again. */
export type StopReason = Tried["stopped"];

/** What was obtained after a failure, so that the next attempt differs from the one that was refused. */
export type Reauthorized = "credentials" | "approval";

/** What `decide` needs to know. */
export interface RetrySituation {
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
  readonly do: "repeat";
  /** How long to wait first, in milliseconds. */
  readonly waitMs: number;
  /** Where the wait comes from. `reauthorized` means that new credentials or an approval made the retry possible. */
  readonly by: WaitSource | "reauthorized";
}

/** Do not make the call again. */
export interface StopDecision {
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
  const policy = toRetryPolicy(situation.policy);
  // A peer refuses the call as it was made. With new credentials or an approval it is another call.
  const isReauthorized = situation.reauthorized !== undefined && missingAuthorization(fault) === situation.reauthorized;
  if (fault.retry?.allowed === false && !isReauthorized) return stopFor("refused");
  const isInvited = fault.retry?.allowed === true || isReauthorized;
  if (!isInvited && !isRetryable(knownKind(fault))) return stopFor("final");
  if (fault.basis === "guessed" && !(repeatable && isRetryable(knownKind(fault)))) return stopFor("guessed");
  if (fault.effect !== "none" && !repeatable) return stopFor("unsafe");
  const wait = computeWait({ fault, attempts, random: situation.random, policy });
  const waitMs = isReauthorized && wait.by !== "peer" ? 0 : wait.waitMs;
  if (waitMs > policy.maxWaitMs || !(waitMs + policy.minAttemptMs <= leftMs)) return stopFor("deadline", waitMs);
  // Peers state the same limit with every failure, so it counts from the first attempt. It can only lower ours.
  const maxAttempts = Math.min(policy.attempts, 1 + (fault.retry?.maxAttempts ?? policy.attempts));
  if (!(attempts < maxAttempts)) return stopFor("attempts", waitMs);
  return { do: "repeat", waitMs, by: isReauthorized ? "reauthorized" : wait.by };
}

/** What is known at the end of a call beyond its last failure. */
interface Conclusion {
  readonly tried?: Tried | undefined;
  /** The worst effect that any attempt may have had. */
  readonly effect?: Effect | undefined;
  readonly repeatable?: boolean | undefined;
  /** A wait that was longer than the deadline allowed. It becomes the wait of the move `retry`. */
  readonly waitMs?: number | undefined;
  /** Moves that replace those of the fault. */
  readonly recourse?: readonly [Recourse, ...Recourse[]] | undefined;
}

/** The fault of a whole call, made from its last failure. Moves that are no longer allowed are removed. */
export function concludeFault(fault: Fault, conclusion: Conclusion): Fault {
  const { repeatable, tried = fault.tried } = conclusion;
  const effect = worseEffect(fault.effect, conclusion.effect ?? "none");
  const concluded = amendFault(
    fault,
    { effect, tried: FAULT_MEMBERS.tried.clean(tried), recourse: conclusion.recourse ?? fault.recourse },
    { repeatable },
  );
  const [first, ...rest] = concluded.recourse;
  const { waitMs } = conclusion;
  if (first.do !== "retry" || waitMs === undefined || waitMs <= (first.afterMs ?? 0)) return concluded;
  return amendFault(concluded, { recourse: [Object.freeze({ ...first, afterMs: waitMs }), ...rest] }, { repeatable });
}

/** What one call has cost so far. */
export interface Spent {
  readonly attempts: number;
  /** How long it took, waits included. */
  readonly elapsedMs: number;
}

export interface CallProgress extends Spent {
  /** Whether there was only one attempt, sent or not. */
  readonly isFirst: boolean;
  /** The last failure. Undefined if the call was never made. */
  readonly last: Fault | undefined;
  /** The worst effect that any attempt may have had. */
  readonly effect: Effect;
  readonly repeatable: boolean;
  /** The tool that a circuit breaker holds back. @default none */
  readonly heldBack?: string | undefined;
}

const ENGINE_ORIGIN: Origin = { layer: "client" };
/** Rules up to this number depend only on the failure. Later ones depend on the caller or on earlier calls. */
const LAST_RULE_ABOUT_FAILURE = 2;

/** The fault of a call that is not made again: its last failure, and what was tried. */
export function finalFault(decision: StopDecision, progress: CallProgress): Fault {
  const { last, isFirst, attempts, elapsedMs, effect, repeatable } = progress;
  const { why, waitMs } = decision;
  const tried = { attempts, elapsedMs, stopped: why };
  if (why === "aborted") {
    const cause = last && new FaultError(last);
    return cancelled.fault({}, { effect, origin: ENGINE_ORIGIN, tried, cause });
  }
  if (last === undefined) return notSentFault(decision, tried, progress);
  // A first failure that is never repeated stays unchanged: nothing was tried beyond the call itself.
  const isUnchanged = isFirst && decision.rule <= LAST_RULE_ABOUT_FAILURE;
  return concludeFault(last, { effect, repeatable, waitMs, tried: isUnchanged ? undefined : tried });
}

/** Reasons whose sentence says that the call was not sent, by this side or by a gateway. */
const UNSENT_CALLS: readonly string[] = [unreachable, not_connected, not_sent, breaker_open].map((reason) => reason.id);

/** Whether an attempt ended before the call was sent. Such an attempt does not count as one. */
export function wasNotSent({ reason, effect }: Fault): boolean {
  return effect === "none" && UNSENT_CALLS.includes(reason);
}

/** The fault of a call that was never sent. */
function notSentFault({ why, waitMs = 0 }: StopDecision, tried: Tried, { heldBack }: CallProgress): Fault {
  const details = { effect: "none", origin: ENGINE_ORIGIN, tried } as const;
  if (why !== "breaker") return not_sent.fault({}, details);
  return breaker_open.fault(heldBack === undefined ? {} : { tool: heldBack }, { ...details, afterMs: waitMs });
}
