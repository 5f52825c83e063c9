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
 * it, so that clients with the same wait do not come back together. Without a stated wait the whole wait is random.
 */
export function waitFor({ fault, attempts, policy, ...facts }: WaitFacts): Wait {
  const { retry } = fault;
  const random = facts.random > 0 ? Math.min(facts.random, 1) : 0;
  const base = KINDS[knownKind(fault)].retryWhen === "after_wait" ? policy.overloadBaseMs : policy.baseMs;
  const stated = statedWait(fault);
  if (stated === undefined) {
    const max = retry?.backoff === "fixed" ? Math.min(base, policy.capMs) : doubled(base, attempts, policy.capMs);
    return { waitMs: wholeMs(random * max), by: "backoff" };
  }
  const { afterMs, by } = stated;
  const min = retry?.backoff === "exponential" ? doubled(afterMs, attempts, Math.max(policy.capMs, afterMs)) : afterMs;
  const jitter = random * (retry?.jitter ?? policy.jitter) * Math.max(min, base);
  return { waitMs: wholeMs(min + jitter), by };
}

/** The wait that the peer stated, or else the one of its system's contract. */
function statedWait(fault: Fault): { readonly afterMs: number; readonly by: "peer" | "contract" } | undefined {
  const peerMs = fault.retry?.afterMs;
  if (peerMs !== undefined) return { afterMs: peerMs, by: "peer" };
  const [first] = fault.recourse;
  if (first.do !== "retry" || first.afterMs === undefined) return undefined;
  return { afterMs: first.afterMs, by: "contract" };
}

function doubled(firstMs: number, attempts: number, capMs: number): number {
  // 0 × Infinity would not be a number.
  return firstMs === 0 ? 0 : Math.min(firstMs * 2 ** (attempts - 1), capMs);
}

function wholeMs(ms: number): number {
  return Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER);
}
