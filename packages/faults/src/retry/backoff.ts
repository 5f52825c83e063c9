import type { Fault } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import type { Policy } from "./policy.ts";

/** Who named the wait: the peer, the contract of its system, or nobody, so that it is drawn. */
export type WaitSource = "peer" | "contract" | "backoff";

/** How long to wait before the next attempt, and on whose word. */
export interface Wait {
  readonly waitMs: number;
  readonly by: WaitSource;
}

/** What a wait is drawn from. */
export interface WaitFacts {
  readonly fault: Fault;
  /** Attempts made so far. */
  readonly attempts: number;
  /** In [0, 1). */
  readonly random: number;
  readonly policy: Policy;
}

/**
 * The wait before the next attempt, in whole milliseconds. A named wait is kept in full and spread upwards, so that those
 * who were told the same do not come back together; without one the whole wait is random.
 */
export function waitFor({ fault, attempts, policy, ...facts }: WaitFacts): Wait {
  const { retry } = fault;
  const random = facts.random > 0 ? Math.min(facts.random, 1) : 0;
  const base = KINDS[knownKind(fault)].repeat === "waited" ? policy.busyMs : policy.baseMs;
  const named = namedWait(fault);
  if (named === undefined) {
    const most = retry?.backoff === "fixed" ? Math.min(base, policy.capMs) : grown(base, attempts, policy.capMs);
    return { waitMs: whole(random * most), by: "backoff" };
  }
  const { afterMs, by } = named;
  const least = retry?.backoff === "exponential" ? grown(afterMs, attempts, Math.max(policy.capMs, afterMs)) : afterMs;
  const spread = random * (retry?.jitter ?? policy.jitter) * Math.max(least, base);
  return { waitMs: whole(least + spread), by };
}

/** The wait that somebody named: the peer itself, or the document of its system. */
function namedWait(fault: Fault): { readonly afterMs: number; readonly by: "peer" | "contract" } | undefined {
  const told = fault.retry?.afterMs;
  if (told !== undefined) return { afterMs: told, by: "peer" };
  const [first] = fault.recourse;
  if (first.do !== "retry" || first.afterMs === undefined) return undefined;
  return { afterMs: first.afterMs, by: "contract" };
}

function grown(firstMs: number, attempts: number, capMs: number): number {
  // A start of zero stays zero, however often it doubles.
  return firstMs === 0 ? 0 : Math.min(firstMs * 2 ** (attempts - 1), capMs);
}

function whole(ms: number): number {
  return Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER);
}
