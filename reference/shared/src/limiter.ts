/** Whether a call may be made now, and otherwise when. */
type LimitResult = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

/** Limits how often each caller may call. Replace it by a shared store when several servers share the limits. */
export interface Limiter {
  /** How many calls may be made at once, and in how many ms that number is available again. */
  readonly quota: { readonly calls: number; readonly windowMs: number };
  /** Takes one call from the quota of a caller. */
  take(caller: string): LimitResult;
}

/** Options of token buckets. */
export interface TokenBucketOptions {
  /** How many calls a caller may make in one window. */
  readonly calls: number;
  readonly windowMs: number;
  /**
   * The clock, in ms.
   *
   * @default performance.now
   */
  readonly now?: () => number;
  /**
   * How many callers are remembered.
   *
   * @default 10_000
   */
  readonly maxCallers?: number;
}

/** Token buckets in this process. Each bucket fills evenly; a full bucket need not be remembered. */
export function tokenBuckets(options: TokenBucketOptions): Limiter {
  const { calls, windowMs, now = () => performance.now(), maxCallers = 10_000 } = options;
  const callsPerMs = calls / windowMs;
  const buckets = new Map<string, { readonly left: number; readonly at: number }>();
  return {
    quota: { calls, windowMs },
    take(caller) {
      const at = now();
      const bucket = buckets.get(caller) ?? { left: calls, at };
      const left = Math.min(calls, bucket.left + (at - bucket.at) * callsPerMs);
      // The map is ordered by last use, so the first bucket had the most time to fill up.
      buckets.delete(caller);
      const [oldest] = buckets.size >= maxCallers ? buckets.keys() : [];
      if (oldest !== undefined) buckets.delete(oldest);
      buckets.set(caller, { left: left < 1 ? left : left - 1, at });
      return left < 1 ? { ok: false, retryAfterMs: Math.ceil((1 - left) / callsPerMs) } : { ok: true };
    },
  };
}
