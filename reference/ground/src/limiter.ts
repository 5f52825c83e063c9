/** Whether a call may be made now, and when otherwise. */
type Taken = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

/** Gives every caller a share of calls. A store that several servers share can stand in for the one below. */
export interface Limiter {
  /** How many calls may be made at once, and in how long they come back. */
  readonly quota: { readonly calls: number; readonly windowMs: number };
  take(share: string): Taken;
}

/** How large the shares are. */
export interface BucketOptions {
  readonly calls: number;
  readonly windowMs: number;
  readonly now?: () => number;
  /** How many shares are remembered. */
  readonly maxShares?: number;
}

/** Token buckets in this process: a bucket fills evenly, and a full one need not be remembered. */
export function tokenBuckets(options: BucketOptions): Limiter {
  const { calls, windowMs, now = () => performance.now(), maxShares = 10_000 } = options;
  const perMs = calls / windowMs;
  const buckets = new Map<string, { readonly left: number; readonly at: number }>();
  return {
    quota: { calls, windowMs },
    take(share) {
      const at = now();
      const bucket = buckets.get(share) ?? { left: calls, at };
      const left = Math.min(calls, bucket.left + (at - bucket.at) * perMs);
      // The order of the map is that of the last use, so the first is the one that had most time to fill up.
      buckets.delete(share);
      const [oldest] = buckets.size >= maxShares ? buckets.keys() : [];
      if (oldest !== undefined) buckets.delete(oldest);
      buckets.set(share, { left: left < 1 ? left : left - 1, at });
      return left < 1 ? { ok: false, retryAfterMs: Math.ceil((1 - left) / perMs) } : { ok: true };
    },
  };
}
