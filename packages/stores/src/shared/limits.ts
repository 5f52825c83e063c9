import type { IdempotencyClaim } from "@recourse/faults/server";
import type { SharedStoreOptions } from "./shared-store.ts";

/** A hundred years: no engine can add up much longer times. */
const LONGEST_MS = 100 * 365 * 24 * 60 * 60_000;
/** The longest time of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The least and the most of each option. */
const LIMITS = {
  ttlMs: [1, LONGEST_MS],
  maxOutcomeLength: [0, Number.POSITIVE_INFINITY],
  maxKeysPerCaller: [1, Number.POSITIVE_INFINITY],
  keyWindowMs: [1, LONGEST_MS],
  timeoutMs: [1, LONGEST_TIMER_MS],
  repeatMs: [0, Number.POSITIVE_INFINITY],
} as const satisfies Record<keyof SharedStoreOptions, readonly [number, number]>;

/** Throws where an option would make the engine fail after a call has run. */
export function checkLimits(options: SharedStoreOptions): void {
  for (const [name, [least, most]] of Object.entries(LIMITS)) {
    const value = options[name as keyof SharedStoreOptions];
    if (value === undefined || (value >= least && value <= most)) continue;
    throw new RangeError(`${name} has to be a number from ${least} to ${most}, and is ${value}`);
  }
}

/** How long a call may run, as an engine can store it. */
export function deadlineOf({ deadlineMs }: IdempotencyClaim): number | undefined {
  if (deadlineMs === undefined) return undefined;
  if (Number.isNaN(deadlineMs)) throw new RangeError("the deadline of a call is not a number");
  return deadlineMs > LONGEST_MS ? undefined : Math.max(0, deadlineMs);
}
