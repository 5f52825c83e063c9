// Time, randomness and ids, as every option `testing` of Recourse takes them.
import { type Sleep, sleep } from "./waiting.ts";

/** Tells the time, and waits. */
export interface Clock {
  /** The time of day, in ms since 1970. It may jump. */
  readonly now: () => number;
  /** The time since some fixed moment, in ms. It never goes back, so durations are measured with it. */
  readonly monotonic: () => number;
  /** Waits. If the signal is aborted, it rejects at once and clears its timer. */
  readonly sleep: Sleep;
}

/** Returns a random number in [0, 1). */
export type Random = () => number;

/** Replaces time, randomness and ids, so that a test gives the same result every time. */
export interface TestingOptions {
  /** The clock, or some of its functions. @default the clock of the platform */
  readonly clock?: Partial<Clock>;
  /** Randomness of waits and samples. @default `Math.random` */
  readonly random?: Random;
  /** Creates ids: 26 characters, as `formatId` makes them. @default time and randomness */
  readonly createId?: () => string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
};

/** The clock of an option `testing`: what it replaces, and the platform's for the rest. */
export function toClock({ clock }: TestingOptions = {}): Clock {
  return clock === undefined ? systemClock : { ...systemClock, ...clock };
}

/** The randomness of an option `testing`: what it replaces, or else the platform's. */
export function toRandom({ random = Math.random }: TestingOptions = {}): Random {
  return random;
}
