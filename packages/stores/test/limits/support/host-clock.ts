/** The clocks of the process, where they were replaced. */
interface Clocks {
  readonly monotonic: () => number;
  readonly date: () => number;
}

/** So many changes of the clock are looked at. */
const TICKS = 3;
/** A change is seen exactly where the process was not held up between two looks, in ms. */
const MAX_BLINK_MS = 0.02;

/**
 * The clock of a Redis server on the same host, in µs, read without asking it. `Date.now()` is the same clock, cut to whole
 * ms; the largest of many differences to the monotonic clock is the true one, if the moments are among them at which it changes.
 */
export function hostClock(
  { monotonic, date }: Clocks = { monotonic: performance.now.bind(performance), date: Date.now },
): { nowUs(): number; usAt(monotonicMs: number): number; calibrate(): void } {
  let offset = 0;
  const calibrate = () => {
    let largest = Number.NEGATIVE_INFINITY;
    let lastMs = Number.NaN;
    let lastAt = monotonic();
    for (let ticks = 0; ticks < TICKS; ) {
      const ms = date();
      const at = monotonic();
      largest = Math.max(largest, ms - at);
      if (ms !== lastMs && at - lastAt < MAX_BLINK_MS) ticks += 1;
      lastMs = ms;
      lastAt = at;
    }
    offset = largest;
  };
  calibrate();
  const usAt = (monotonicMs: number) => (monotonicMs + offset) * 1_000;
  return { nowUs: () => usAt(monotonic()), usAt, calibrate };
}
