import { overloaded, rate_limited } from "../../reasons/library/core.ts";
import type { FoundIdempotencyState, SearchableIdempotencyStore } from "./store.ts";

/** Options of `memoryIdempotency`. */
export interface MemoryIdempotencyOptions {
  /** The most keys at a time; beyond it new keys are refused. @default 10_000 */
  readonly max?: number;
  /** The most characters of all outcomes together; an outcome beyond it is not kept. @default 64 Mi */
  readonly maxLength?: number;
  /** The most characters of one outcome; a longer one is not kept, and a repeated call learns that it took effect. @default 64 Ki */
  readonly maxOutcomeLength?: number;
  /** The part of `max` and `maxLength` that one caller may use, from 0 to 1; 1 suits a server with one caller. @default 0.1 */
  readonly callerShare?: number;
  /** How long an outcome is kept; longer than any caller repeats a call. @default 600_000 (10 minutes) */
  readonly ttlMs?: number;
  /** Clock, in ms since 1970. @default `Date.now` */
  readonly now?: () => number;
}

interface Entry {
  readonly digest: string;
  readonly owner: string;
  readonly fence: number;
  /** When a running call becomes unknown, and a settled one is forgotten. */
  readonly until: number;
  /** Undefined while the call runs. */
  readonly settled?: { readonly outcome: string | undefined };
}

/** What one caller, or all of them, have in the store. */
class Usage {
  keys = 0;
  length = 0;
  /** When the settled keys are forgotten, the first first. */
  readonly ends = new Map<string, number>();

  add(keys: number, length: number): void {
    this.keys += keys;
    this.length += length;
  }
}

/**
 * Keeps idempotency keys in the memory of this process. It suits a server of one process, which forgets them when it ends.
 * A full store refuses new keys instead of forgetting old ones, since a forgotten call would run again.
 *
 * @example
 * guard(server, { idempotency: memoryIdempotency({ ttlMs: 24 * 60 * 60_000 }) });
 */
export function memoryIdempotency(options: MemoryIdempotencyOptions = {}): SearchableIdempotencyStore {
  const { max = 10_000, maxLength = 64 * 1_024 * 1_024, maxOutcomeLength = 64 * 1_024 } = options;
  const { callerShare = 0.1, ttlMs = 600_000, now = Date.now } = options;
  const share = { keys: Math.max(1, Math.floor(max * callerShare)), length: maxLength * callerShare };
  const running = new Map<string, Entry>();
  // In the order in which they were settled, which is the order in which they expire.
  const settled = new Map<string, Entry>();
  const total = new Usage();
  const owners = new Map<string, Usage>();
  // Never used twice, so that a late call cannot settle the claim of another.
  let lastFence = 0;

  function count(owner: string, keys: number, length: number): void {
    const usage = owners.get(owner) ?? new Usage();
    owners.set(owner, usage);
    for (const one of [usage, total]) one.add(keys, length);
    if (usage.keys === 0) owners.delete(owner);
  }

  function forgetExpired(): void {
    for (const [key, { until, owner, settled: end }] of settled) {
      if (until > now()) return;
      settled.delete(key);
      owners.get(owner)?.ends.delete(key);
      count(owner, -1, -(end?.outcome?.length ?? 0));
    }
  }

  /** Throws where there is no room for another key. A caller who has used up its share waits until a key of it is forgotten. */
  function checkRoom(owner: string): void {
    if (total.keys >= max) throw overloaded();
    const usage = owners.get(owner);
    if (usage === undefined || usage.keys < share.keys) return;
    const [next] = usage.ends.values();
    const resetMs = next === undefined ? undefined : Math.ceil(next - now());
    const reset = resetMs === undefined ? {} : { resetMs };
    throw rate_limited(
      {},
      {
        ...(resetMs !== undefined && { retry: { allowed: true, afterMs: resetMs } }),
        limits: [{ policy: "keys", unit: "keys", quota: share.keys, remaining: 0, ...reset, scope: "key" }],
      },
    );
  }

  /** The running entry of a claim; undefined if it was taken over, settled or released. */
  const claimed = (key: string, fence: number): Entry | undefined => {
    const entry = running.get(key);
    return entry?.fence === fence ? entry : undefined;
  };

  const find = (key: string, digest: string): FoundIdempotencyState => {
    forgetExpired();
    const known = settled.get(key) ?? running.get(key);
    if (known === undefined) return { state: "absent" };
    if (known.digest !== digest) return { state: "other" };
    if (known.settled !== undefined) return { state: "settled", outcome: known.settled.outcome };
    return { state: known.until > now() ? "running" : "unknown" };
  };

  return {
    find: async (key, digest) => find(key, digest),
    async begin(key, digest, { owner, deadlineMs = Number.POSITIVE_INFINITY, honoured }) {
      const found = find(key, digest);
      if (found.state !== "absent" && !(found.state === "unknown" && honoured)) return found;
      if (found.state === "absent") {
        checkRoom(owner);
        count(owner, 1, 0);
      }
      lastFence += 1;
      running.set(key, { digest, owner, fence: lastFence, until: now() + deadlineMs });
      return { state: "new", fence: lastFence };
    },
    async settle(key, fence, outcome) {
      const entry = claimed(key, fence);
      if (entry === undefined) return;
      forgetExpired();
      const { length } = outcome;
      const used = owners.get(entry.owner)?.length ?? 0;
      const isKept = length <= maxOutcomeLength && total.length + length <= maxLength && used + length <= share.length;
      running.delete(key);
      const until = now() + ttlMs;
      settled.set(key, { ...entry, until, settled: { outcome: isKept ? outcome : undefined } });
      owners.get(entry.owner)?.ends.set(key, until);
      if (isKept) count(entry.owner, 0, length);
    },
    async release(key, fence) {
      const entry = claimed(key, fence);
      if (entry === undefined) return;
      running.delete(key);
      count(entry.owner, -1, 0);
    },
  };
}
