import { limitFilters, MAX_FILTER_WORK } from "@recourse/faults/internal-do-not-use";
import type { Holder } from "./fair-pool.ts";

/** What the filters may read for one caller in a second: two and a half of the most costly failures, or some hundred ordinary ones. */
const PER_SECOND = 2.5 * MAX_FILTER_WORK;
const BURST = 10 * MAX_FILTER_WORK;
/** What they read for a failure in any case: short texts are shown also to a caller that has used up its share. */
const LEAST = MAX_FILTER_WORK / 16;

/** What is left for a caller, and when that was. */
interface Left {
  work: number;
  atMs: number;
}

/**
 * Divides the work of the filters among callers: a caller chooses what its failures say, by arguments that come back in them.
 * Where its share is used up, longer texts are not shown.
 */
export class FilterShare {
  readonly #callers = new WeakMap<Holder, Left>();
  readonly #now: () => number;

  /** `now` is a monotonic clock in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs what filters the texts of one failure. It must not wait for anything. */
  run<T>(caller: Holder, judge: () => T): T {
    const left = this.#leftOf(caller);
    const work = Math.min(MAX_FILTER_WORK, Math.max(LEAST, left.work));
    const limit = { left: work };
    try {
      return limitFilters(judge, limit);
    } finally {
      left.work = Math.max(0, left.work - (work - Math.max(0, limit.left)));
    }
  }

  #leftOf(caller: Holder): Left {
    const nowMs = this.#now();
    const left = this.#callers.get(caller) ?? { work: BURST, atMs: nowMs };
    left.work = Math.min(BURST, left.work + ((nowMs - left.atMs) * PER_SECOND) / 1_000);
    left.atMs = nowMs;
    this.#callers.set(caller, left);
    return left;
  }
}
