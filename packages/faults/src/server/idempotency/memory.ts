import { overloaded } from "../../reasons/library/core.ts";
import type { IdempotencyStore } from "./store.ts";

/** Options of `memoryIdempotency`. */
export interface MemoryIdempotencyOptions {
  /** The most keys at a time. @default 10_000 */
  readonly max?: number;
  /** The most characters of all stored outcomes together; beyond it new keys are refused. @default 64 Mi */
  readonly maxLength?: number;
  /** How long an outcome is kept; longer than any caller repeats a call. @default 600_000 (10 minutes) */
  readonly ttlMs?: number;
  /** Clock, in ms since 1970. @default `Date.now` */
  readonly now?: () => number;
}

interface Settled {
  readonly digest: string;
  readonly outcome: string;
  readonly until: number;
}

/**
 * Keeps idempotency keys in the memory of this process. It suits a server of one process, which forgets them when it ends.
 * A full store refuses new keys instead of forgetting old ones, since a forgotten call would run again.
 *
 * @example
 * guard(server, { idempotency: memoryIdempotency({ ttlMs: 24 * 60 * 60_000 }) });
 */
export function memoryIdempotency(options: MemoryIdempotencyOptions = {}): IdempotencyStore {
  const { max = 10_000, maxLength = 64 * 1_024 * 1_024, ttlMs = 600_000, now = Date.now } = options;
  const running = new Map<string, string>();
  // In the order in which they were settled, which is the order in which they expire.
  const settled = new Map<string, Settled>();
  let length = 0;

  function forgetExpired(): void {
    for (const [key, { until, outcome }] of settled) {
      if (until > now()) return;
      settled.delete(key);
      length -= outcome.length;
    }
  }

  return {
    async begin(key, digest) {
      forgetExpired();
      const known = settled.get(key);
      const used = known?.digest ?? running.get(key);
      if (used !== undefined && used !== digest) return "other";
      if (known !== undefined) return { outcome: known.outcome };
      if (used !== undefined) return "running";
      if (running.size + settled.size >= max || length >= maxLength) throw overloaded();
      running.set(key, digest);
      return "new";
    },
    async settle(key, outcome) {
      const digest = running.get(key);
      if (digest === undefined) return;
      running.delete(key);
      settled.set(key, { digest, outcome, until: now() + ttlMs });
      length += outcome.length;
    },
    async release(key) {
      running.delete(key);
    },
  };
}
