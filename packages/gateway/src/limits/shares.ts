import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { limitReading, MAX_READ_CHARACTERS } from "@recourse/core/safety";
import type { Holder } from "../call/caller.ts";
import { FairPool } from "./fair-pool.ts";

/** An upstream, as far as shares look at it. */
interface SharedUpstream {
  readonly options: { readonly maxCalls?: number | undefined };
}

interface SharesConfig {
  /** Bytes of requests and answers that are held at one moment. */
  readonly maxHeldBytes: number;
  /** The most bytes of one answer: a share of the memory is never smaller. */
  readonly maxAnswerBytes: number;
  /** Streams of changes that are open at one moment. @default 8_192 */
  readonly maxStreams?: number | undefined;
}

type SharePolicy = "calls" | "streams" | "memory";

const MAX_CALLS = 1_024;
/** Every client of the older era opens a stream for its session. An idle one takes about 25 kB, all of them some 200 MB. */
const MAX_OPEN_STREAMS = 8_192;
/** A share of calls and streams is never smaller than this. */
const MIN_SHARE = 8;
/** Nobody knows when others are done; a caller that is refused tries again after this time. */
const SHARE_RETRY_MS = 1_000;

/** The pools of one process. They outlive a configuration. */
export class Shares {
  /** Bytes of requests and answers. */
  readonly memory: FairPool;
  readonly streams: FairPool;
  readonly filters = new FilterShare(() => performance.now());
  readonly #calls = new WeakMap<SharedUpstream, FairPool>();

  constructor({ maxHeldBytes, maxAnswerBytes, maxStreams }: SharesConfig) {
    // An answer of the largest size fits into half of the reserve or less, so one caller can always have one.
    this.memory = new FairPool({ capacity: maxHeldBytes, least: Math.min(maxAnswerBytes, maxHeldBytes / 16) });
    this.streams = streamPool(maxStreams);
  }

  poolFor(upstream: SharedUpstream): FairPool {
    let pool = this.#calls.get(upstream);
    if (pool === undefined) {
      pool = new FairPool({ capacity: upstream.options.maxCalls ?? MAX_CALLS, least: MIN_SHARE });
      this.#calls.set(upstream, pool);
    }
    return pool;
  }
}

export function streamPool(maxStreams: number = MAX_OPEN_STREAMS): FairPool {
  return new FairPool({ capacity: maxStreams, least: MIN_SHARE });
}

/** What an upstream takes of the gateway for itself, such as lists, counts as one caller and tenant. */
export function upstreamHolder(name: string): Holder {
  const id = `upstream\n${name}`;
  return { id, tenant: id };
}

/** The refusal of a caller that has used up its share. Nothing was sent. */
export function shareFault(policy: SharePolicy, quota: number): Fault {
  const unit = policy === "memory" ? "bytes" : policy;
  return core.rate_limited.fault(
    {},
    {
      effect: "none",
      retry: { allowed: true, afterMs: SHARE_RETRY_MS },
      limits: [{ policy, unit, quota: Math.floor(quota), remaining: 0, resetMs: SHARE_RETRY_MS, scope: "key" }],
    },
  );
}

/** The bytes that are held for one call, counted against the share of its caller. */
export class CallMemory {
  readonly #pool: FairPool;
  readonly #holder: Holder;
  #bytes = 0;

  constructor(pool: FairPool, holder: Holder) {
    this.#pool = pool;
    this.#holder = holder;
  }

  /** Takes bytes; false if the caller holds its share already. */
  take(bytes: number): boolean {
    if (!this.#pool.take(this.#holder, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Counts bytes that are held already. */
  add(bytes: number): void {
    this.#pool.add(this.#holder, bytes);
    this.#bytes += bytes;
  }

  end(): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (bytes > 0) this.#pool.give(this.#holder, bytes);
  }
}

/** What the filters may read for one caller in a second, in characters: some hundred ordinary failures. */
const READ_PER_SECOND = MAX_READ_CHARACTERS;
const READ_BURST = 10 * MAX_READ_CHARACTERS;
/** What they read for a failure in any case: short texts are shown also to a caller that has used up its share. */
const MIN_READ = MAX_READ_CHARACTERS / 16;

/** What is left for a caller, and when that was. */
interface FilterAllowance {
  work: number;
  atMs: number;
}

/**
 * Divides the work of the filters among callers: a caller chooses what its failures say, by arguments that come back in
 * them. If its share is used up, longer texts are not shown.
 */
export class FilterShare {
  readonly #callers = new WeakMap<Holder, FilterAllowance>();
  readonly #now: () => number;

  /** `now` is a monotonic clock in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs what filters the texts of one failure. It must not wait for anything. */
  run<T>(caller: Holder, judge: () => T): T {
    const left = this.#leftOf(caller);
    const work = Math.min(MAX_READ_CHARACTERS, Math.max(MIN_READ, left.work));
    const limit = { left: work };
    try {
      return limitReading(judge, limit);
    } finally {
      left.work = Math.max(0, left.work - (work - Math.max(0, limit.left)));
    }
  }

  #leftOf(caller: Holder): FilterAllowance {
    const nowMs = this.#now();
    const left = this.#callers.get(caller) ?? { work: READ_BURST, atMs: nowMs };
    left.work = Math.min(READ_BURST, left.work + ((nowMs - left.atMs) * READ_PER_SECOND) / 1_000);
    left.atMs = nowMs;
    this.#callers.set(caller, left);
    return left;
  }
}
