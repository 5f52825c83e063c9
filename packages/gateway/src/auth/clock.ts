/** The clocks of authentication. */
export interface Clock {
  /** Time of day in ms, for dates of expiry. */
  readonly now: () => number;
  /** Monotonic time in ms, for ages. */
  readonly elapsed: () => number;
}

export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
