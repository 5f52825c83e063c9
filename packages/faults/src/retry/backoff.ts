import type { Fault } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import type { RetryPolicy } from "./policy.ts";

/** Where a wait comes from: the peer stated it, the contract of its system prescribes it, or it is a random back-off. */
export type WaitSource = "peer" | "contract" | "backoff";

/** How long to wait before the next attempt. */
export interface Wait {
  readonly waitMs: number;
  readonly by: WaitSource;
}

/** What a wait is computed from. */
export interface WaitFacts {
  readonly fault: Fault;
  /** How many times the call was made so far. */
  readonly attempts: number;
  /** A random number in [0, 1). */
  readonly random: number;
  readonly policy: RetryPolicy;
}

/**
 * The wait before the next attempt, in whole milliseconds. A stated wait is never shortened. A random part is added to
 * it, so that clients with the same wait do not come back together. Without a stated wait the whole wait is random, unless
 * the policy has a `stepMs`.
 */
export function waitFor({ fault, attempts, policy, ...facts }: WaitFacts): Wait {
  const { retry } = fault;
  const { do: move, afterMs: contractMs } = fault.recourse[0];
  const by = retry?.afterMs === undefined ? "contract" : "peer";
  if (by === "contract" && policy.stepMs > 0) return { waitMs: wholeMs(policy.stepMs * attempts), by };
  const random = facts.random > 0 ? Math.min(facts.random, 1) : 0;
  const base = KINDS[knownKind(fault)].retryWhen === "after_wait" ? policy.overloadBaseMs : policy.baseMs;
  // A call that may have had an effect is checked first, and repeated no sooner than one that had none.
  const afterMs = retry?.afterMs ?? (move === "retry" || move === "refresh" ? contractMs : undefined);
  if (afterMs === undefined) {
    const max = retry?.backoff === "fixed" ? Math.min(base, policy.capMs) : doubled(base, attempts, policy.capMs);
    return { waitMs: wholeMs(random * max), by: "backoff" };
  }
  const min = retry?.backoff === "exponential" ? doubled(afterMs, attempts, Math.max(policy.capMs, afterMs)) : afterMs;
  const jitter = random * (retry?.jitter ?? policy.jitter) * Math.max(min, base);
  return { waitMs: wholeMs(min + jitter), by };
}

function doubled(firstMs: number, attempts: number, capMs: number): number {
  // 0 × Infinity would not be a number.
  return firstMs === 0 ? 0 : Math.min(firstMs * 2 ** (attempts - 1), capMs);
}

function wholeMs(ms: number): number {
  return Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER);
}
