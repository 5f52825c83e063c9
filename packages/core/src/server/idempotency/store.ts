import { overloaded, rate_limited } from "../../reasons/library/core.ts";
import { checkNumbers } from "../../wire/check-number.ts";
import { type TestingOptions, toClock } from "../../wire/clock.ts";

/** A call that claims a key. */
export interface IdempotencyClaim {
  /** Who calls: a digest. A store can give every owner a share, so that one caller cannot fill it. */
  readonly owner: string;
  /** How long the call may run, in ms from now; then its outcome is unknown. Undefined if it has no time limit. */
  readonly deadlineMs: number | undefined;
  /** Whether the tool passes the key on to a service that honours it, so that the call may run again. */
  readonly honoured: boolean;
}

/**
 * What a store knows about a key:
 * - `new`: this call has claimed it and runs. The fence names the claim. `isTakenOver`: the outcome of another call was unknown.
 * - `running`: another call runs.
 * - `unknown`: another call has not ended in its time, and nobody knows whether it had its effect.
 * - `other`: it was used with other arguments.
 * - `settled`: its call has ended. The outcome is undefined if it was too long to keep.
 */
export type IdempotencyState =
  | { readonly state: "new"; readonly fence: number; readonly isTakenOver?: boolean }
  | { readonly state: "running" | "unknown" | "other" }
  | { readonly state: "settled"; readonly outcome: string | undefined };

/** What a store knows about a key that is only looked up. `absent`: the key is not known, or no longer. */
export type FoundIdempotencyState = Exclude<IdempotencyState, { readonly state: "new" }> | { readonly state: "absent" };

/**
 * Where idempotency keys are kept, so that a call that is repeated does not run again.
 *
 * Keys, digests and owners are 64 hexadecimal characters. An outcome is JSON text that only the guard reads; it contains
 * what the tool answered, so protect it alike. When a method rejects, a call that has not begun is refused, and the key of a
 * call that has ended stays claimed.
 */
export interface IdempotencyStore {
  /**
   * Claims a key in one atomic step: of all who claim it at the same time, one gets `new` and runs the call. A claim that is
   * not settled by its deadline (its process died, or it hangs) is `unknown`, for at least as long as an outcome is kept. Only
   * a call that is `honoured` takes it over, with another fence.
   */
  begin(key: string, digest: string, claim: IdempotencyClaim): Promise<IdempotencyState>;
  /** Stores how the call of a claim ended, also after its deadline. Does nothing if the claim was taken over. */
  settle(key: string, fence: number, outcome: string): Promise<void>;
  /** Frees a key: the call of this claim changed nothing. Does nothing if the claim was taken over or settled. */
  release(key: string, fence: number): Promise<void>;
  /**
   * Moves the deadline of a claim, to `deadlineMs` from now: its call waits for a person, or waits no longer. False if the claim
   * was taken over, settled or freed; then nothing changes. @default calls that wait for a person become late
   */
  extend?(key: string, fence: number, deadlineMs: number): Promise<boolean>;
}

/** A store whose keys can be looked up. All stores of Recourse can. */
export interface SearchableIdempotencyStore extends IdempotencyStore {
  /** Looks a key up and claims nothing. */
  find(key: string, digest: string): Promise<FoundIdempotencyState>;
}

/** A store whose claims can be given more time. All stores of Recourse can. */
export interface ExtendableIdempotencyStore extends SearchableIdempotencyStore {
  /** Moves the deadline of a claim, to `deadlineMs` from now. False if it was taken over, settled or freed. */
  extend(key: string, fence: number, deadlineMs: number): Promise<boolean>;
}

/** Options of `memoryIdempotency`. */
export interface MemoryIdempotencyOptions {
  /** The most keys at a time; beyond it new keys are refused. @default 10_000 */
  readonly maxKeys?: number;
  /** The most characters of all outcomes together; an outcome beyond it is not kept. @default 64 Mi */
  readonly maxLength?: number;
  /** The most characters of one outcome; a longer one is not kept, and a repeated call learns that it took effect. @default 64 Ki */
  readonly maxOutcomeLength?: number;
  /**
   * The most keys that one caller may use in any `keepMs`; then its new keys are refused. It may also use that part of
   * `maxLength`. `Infinity` suits a server with one caller.
   * @default a tenth of `maxKeys`
   */
  readonly maxKeysPerCaller?: number;
  /** How long a key is remembered after its call has ended, in ms; longer than any caller repeats a call. @default 3_600_000 (1 hour) */
  readonly keepMs?: number;
  /** Replaces time in tests. @default the platform's */
  readonly testing?: TestingOptions;
}

interface StoredKey {
  readonly digest: string;
  readonly owner: string;
  readonly fence: number;
  /** When a running call becomes unknown, and a settled one is forgotten. */
  readonly until: number;
  /** Undefined while the call runs. */
  readonly settled?: { readonly outcome: string | undefined };
}

/** What one caller, or all of them, have in the store. */
class KeyUsage {
  keys = 0;
  length = 0;
  /** When the settled keys are forgotten, the first first. */
  readonly ends = new Map<string, number>();

  add(keys: number, length: number): void {
    this.keys += keys;
    this.length += length;
  }
}

const MEMORY_RANGES = {
  maxKeys: { min: 1 },
  maxLength: { min: 0 },
  maxOutcomeLength: { min: 0 },
  maxKeysPerCaller: { min: 1 },
  keepMs: { min: 1 },
};

/**
 * Keeps idempotency keys in the memory of this process. It suits a server of one process, which forgets them when it ends.
 * A full store refuses new keys instead of forgetting old ones, since a forgotten call would run again.
 *
 * @example
 * guard(server, { idempotency: { store: memoryIdempotency({ keepMs: 24 * 60 * 60_000 }) } });
 */
export function memoryIdempotency(options: MemoryIdempotencyOptions = {}): ExtendableIdempotencyStore {
  checkNumbers("", options, MEMORY_RANGES);
  const { maxKeys = 10_000, maxLength = 64 * 1_024 * 1_024, maxOutcomeLength = 64 * 1_024 } = options;
  const { maxKeysPerCaller = Math.max(1, Math.floor(maxKeys / 10)), keepMs = 60 * 60_000 } = options;
  const { monotonic: now } = toClock(options.testing);
  const share = {
    keys: maxKeysPerCaller,
    length: maxKeysPerCaller < maxKeys ? (maxLength * maxKeysPerCaller) / maxKeys : maxLength,
  };
  const running = new Map<string, StoredKey>();
  // In the order in which they were settled, which is the order in which they expire.
  const settled = new Map<string, StoredKey>();
  const total = new KeyUsage();
  const owners = new Map<string, KeyUsage>();
  // Never used twice, so that a late call cannot settle the claim of another.
  let lastFence = 0;

  function count(owner: string, keys: number, length: number): void {
    const usage = owners.get(owner) ?? new KeyUsage();
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

  /** Throws if there is no room for another key. A caller that has used up its share waits until one of its keys is forgotten. */
  function checkRoom(owner: string): void {
    if (total.keys >= maxKeys) throw overloaded();
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
  const claimed = (key: string, fence: number): StoredKey | undefined => {
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
      return { state: "new", fence: lastFence, ...(found.state === "unknown" && { isTakenOver: true }) };
    },
    async settle(key, fence, outcome) {
      const entry = claimed(key, fence);
      if (entry === undefined) return;
      forgetExpired();
      const { length } = outcome;
      const used = owners.get(entry.owner)?.length ?? 0;
      const isKept = length <= maxOutcomeLength && total.length + length <= maxLength && used + length <= share.length;
      running.delete(key);
      const until = now() + keepMs;
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
    async extend(key, fence, deadlineMs) {
      const entry = claimed(key, fence);
      if (entry === undefined) return false;
      running.set(key, { ...entry, until: now() + deadlineMs });
      return true;
    },
  };
}
