import { core, type Fault } from "@recourse/faults";
import { FairPool, type Holder } from "./fair-pool.ts";
import { FilterShare } from "./filter-share.ts";

/** An upstream, as far as shares look at it. */
interface SharedUpstream {
  readonly options: { readonly maxCalls?: number | undefined };
}

/** What a process holds for its callers, each divided among them. */
export interface SharesConfig {
  /** Bytes of requests and answers that are held at one moment. */
  readonly maxHeldBytes: number;
  /** The most bytes of one answer: a share of the memory is never smaller. */
  readonly maxAnswerBytes: number;
  /** Streams of changes that are open at one moment. @default 1_024 */
  readonly maxStreams?: number | undefined;
}

/** The policies by which something is refused, as faults name them. */
export type SharePolicy = "calls" | "streams" | "memory";

/** Calls to one upstream, and streams, at one moment. */
const MAX_HELD = 1_024;
/** A share of calls and streams is never smaller than this. */
const LEAST = 8;
/** Nobody knows when others are done; a caller that is refused tries again after this time. */
const RETRY_MS = 1_000;

/** The pools of one process. They outlive a configuration. */
export class Shares {
  /** Bytes of requests and answers. */
  readonly memory: FairPool;
  readonly streams: FairPool;
  /** The work of the filters. */
  readonly filters = new FilterShare(() => performance.now());
  readonly #calls = new WeakMap<SharedUpstream, FairPool>();

  constructor({ maxHeldBytes, maxAnswerBytes, maxStreams }: SharesConfig) {
    // An answer of the largest size fits into half of the reserve or less, so one caller can always have one.
    this.memory = new FairPool({ capacity: maxHeldBytes, least: Math.min(maxAnswerBytes, maxHeldBytes / 16) });
    this.streams = streamPool(maxStreams);
  }

  /** The calls under way to an upstream. */
  callsOf(upstream: SharedUpstream): FairPool {
    let pool = this.#calls.get(upstream);
    if (pool === undefined) {
      pool = new FairPool({ capacity: upstream.options.maxCalls ?? MAX_HELD, least: LEAST });
      this.#calls.set(upstream, pool);
    }
    return pool;
  }
}

/** The streams of changes of one process. */
export function streamPool(maxStreams: number = MAX_HELD): FairPool {
  return new FairPool({ capacity: maxStreams, least: LEAST });
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
      retry: { allowed: true, afterMs: RETRY_MS },
      limits: [{ policy, unit, quota: Math.floor(quota), remaining: 0, resetMs: RETRY_MS, scope: "key" }],
    },
  );
}
