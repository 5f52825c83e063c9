import { overloaded } from "../../reasons/library/core.ts";
import type { KeyStore } from "./store.ts";

/** How much a store in memory keeps, and for how long. */
export interface MemoryKeysOptions {
  /** The most keys at a time; 10,000 unless told. */
  readonly max?: number;
  /** The most characters that all outcomes may have together before new keys are refused; 64 Mi unless told. */
  readonly maxLength?: number;
  /** How long an outcome is kept; 10 minutes unless told. Longer than any caller goes on repeating. */
  readonly ttlMs?: number;
  /** Clock, in ms since 1970. */
  readonly now?: () => number;
}

interface Settled {
  readonly digest: string;
  readonly outcome: string;
  readonly until: number;
}

/**
 * Keeps idempotency keys in the memory of this process: right for one process, which forgets them when it ends.
 * A full store refuses new keys instead of forgetting old ones, since a forgotten call would happen again.
 */
export function memoryKeys(options: MemoryKeysOptions = {}): KeyStore {
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
