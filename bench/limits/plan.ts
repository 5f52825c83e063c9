import { seededRandom } from "@recourse/test-kit/seeded-random";
import type { LimitBucket } from "../../packages/stores/src/redis/index.ts";

/** The replicas of a run, each a process. */
export const REPLICAS = 4;
/** Rates per second, with the burst and the number of keys of each. */
export const RATES = [
  { perSecond: 10, burst: 10, keys: 119 },
  { perSecond: 40, burst: 20, keys: 60 },
  { perSecond: 100, burst: 40, keys: 15 },
  { perSecond: 300, burst: 100, keys: 4 },
  { perSecond: 1_000, burst: 300, keys: 2 },
] as const;
/** Traffic of a key changes after so many ms: it moves to another replica, or stops. */
const SPAN_MS = 500;
/** Calls in relation to what the limit allows, while a key is in use. */
const LOAD = 1.5;
/** There are few keys with such rates, so they are in use more often. */
const BUSY_RATE = 300;
/** The part of a key's calls that goes to its busiest replica. */
const HOT_SHARE = 0.7;

/** What a replica needs. */
export interface ReplicaTask {
  readonly replica: number;
  readonly urls: readonly string[];
  readonly cluster: boolean;
  readonly seed: number;
  readonly seconds: number;
  readonly timeoutMs: number;
  /** The part of the keys that is in use at one moment. */
  readonly active: number;
  /** Added to the clocks of the process. */
  readonly skewMs: number;
}

/** One decision: key, time of the call and of the spend in µs of the host's clock, and what came of it. */
export type Decision = readonly [key: number, calledAtUs: number, spentAtUs: number, answer: AnswerCode];
export const ANSWERS = { refused: 0, passed: 1, away: 2 } as const;
export type AnswerCode = (typeof ANSWERS)[keyof typeof ANSWERS];

/** What a replica has done. */
export interface ReplicaReport {
  readonly decisions: readonly Decision[];
  readonly roundTrips: number;
  readonly switches: number;
}

/** The buckets of a run, by number. */
export function bucketsOf(seed: number): readonly LimitBucket[] {
  return RATES.flatMap(({ keys, ...rate }) =>
    Array.from({ length: keys }, (_, key) => {
      const id = `${seed}:${rate.perSecond}:${key}`;
      return { id, group: id, perSecond: rate.perSecond, burst: rate.burst };
    }),
  );
}

/** Calls per ms of a key at a replica, some ms after the start. Every replica computes the same. */
export function callsPerMs(options: {
  readonly seed: number;
  readonly key: number;
  readonly replica: number;
  readonly ms: number;
  readonly perSecond: number;
  readonly active: number;
}): number {
  const { seed, key, replica, ms, perSecond, active } = options;
  const random = seededRandom(seed + key * 7_919 + Math.floor(ms / SPAN_MS) * 104_729);
  if (random() >= (perSecond >= BUSY_RATE ? Math.max(active, 0.3) : active)) return 0;
  const hot = Math.floor(random() * REPLICAS);
  const share = replica === hot ? HOT_SHARE : (1 - HOT_SHARE) / (REPLICAS - 1);
  return (LOAD * share * perSecond) / 1_000;
}
