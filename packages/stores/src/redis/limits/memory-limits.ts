import { type TestingOptions, toClock } from "@recourse/core/wire";
import {
  type LimitAnswer,
  type LimitBucket,
  type LimitClaim,
  type LimitShortage,
  type Limits,
  type LimitTaken,
  refusedFor,
} from "./contract.ts";
import { claimCost } from "./tokens.ts";

/** Options of `memoryLimits`. */
export interface MemoryLimitsOptions {
  /** Replaces time in tests. @default the platform's */
  readonly testing?: TestingOptions;
}

/** How often full buckets are forgotten, while new ones come. */
const BUCKET_SWEEP_MS = 2_000;

interface BucketState {
  bucket: LimitBucket;
  level: number;
  /** When `level` was true, in ms. */
  at: number;
  /** Tokens given back since it was made. */
  returned: number;
}

/**
 * Token buckets of this process alone, exact and without waiting. Other processes count for themselves, and buckets are full
 * again after a restart.
 *
 * @example
 * const limits = memoryLimits();
 * const bucket = { id: "key:ci", group: "acme", perSecond: 20, burst: 40 };
 * const answer = await limits.take([{ bucket, cost: 1 }]);
 * if (!answer.ok && !answer.away) console.log(`again in ${answer.waitMs} ms`);
 */
export function memoryLimits({ testing }: MemoryLimitsOptions = {}): Limits {
  const { monotonic: now } = toClock(testing);
  const states = new Map<string, BucketState>();
  let sweptAt = now();
  const stateOf = (bucket: LimitBucket, at: number): BucketState => {
    const known = states.get(bucket.id);
    if (known !== undefined) {
      known.level = Math.min(bucket.burst, known.level + ((at - known.at) / 1_000) * bucket.perSecond);
      known.at = at;
      known.bucket = bucket;
      return known;
    }
    if (at - sweptAt >= BUCKET_SWEEP_MS) {
      sweptAt = at;
      for (const [id, state] of states) if (fillMs(state) <= at - state.at) states.delete(id);
    }
    const made: BucketState = { bucket, level: bucket.burst, at, returned: 0 };
    states.set(bucket.id, made);
    return made;
  };
  return {
    isAway: false,
    take(claims): LimitAnswer {
      const at = now();
      let short: LimitShortage[] | undefined;
      for (const claim of claims) {
        const { level } = stateOf(claim.bucket, at);
        const missing = claimCost(claim) - level;
        if (missing <= 0) continue;
        short ??= [];
        short.push({ bucket: claim.bucket, waitMs: Math.ceil((missing / claim.bucket.perSecond) * 1_000) });
      }
      if (short !== undefined) return refusedFor(short);
      const taken = new MemoryTaken(claims, states, now);
      for (const claim of claims) stateOf(claim.bucket, at).level -= claimCost(claim);
      return taken;
    },
    check: async () => [],
    close: async () => {},
  };
}

function fillMs({ bucket, level }: BucketState): number {
  return ((bucket.burst - level) / bucket.perSecond) * 1_000;
}

class MemoryTaken implements LimitTaken {
  readonly ok = true;
  readonly takenAtUs = undefined;
  readonly #states: ReadonlyMap<string, BucketState>;
  readonly #now: () => number;
  readonly #at: number;
  #parts: readonly { readonly claim: LimitClaim; readonly state: BucketState | undefined; readonly existed: number }[];

  constructor(claims: readonly LimitClaim[], states: ReadonlyMap<string, BucketState>, now: () => number) {
    this.#states = states;
    this.#now = now;
    this.#at = now();
    this.#parts = claims.map((claim) => {
      const state = states.get(claim.bucket.id);
      return { claim, state, existed: state === undefined ? 0 : state.level - state.returned };
    });
  }

  giveBack(): void {
    const seconds = (this.#now() - this.#at) / 1_000;
    for (const { claim, state, existed } of this.#parts) {
      const { id, perSecond, burst } = claim.bucket;
      if (state === undefined || this.#states.get(id) !== state) continue;
      // All that existed, has grown and was given back since then has to fit, or more than the burst could pass at once.
      const beyond = Math.max(0, existed + state.returned + seconds * perSecond - burst);
      state.level += Math.max(0, claimCost(claim) - beyond);
      state.returned += claimCost(claim);
    }
    this.#parts = [];
  }
}
