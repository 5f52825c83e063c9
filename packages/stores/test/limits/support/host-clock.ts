/** The clocks of the process, where they were replaced. */
interface Clocks {
  readonly monotonic: () => number;
  readonly date: () => number;
}

/**
 * The clock of a Redis server on the same host, in µs, read without asking it. `Date.now()` is the same clock, cut to whole
 * ms; the largest of many differences to the monotonic clock is the true one.
 */
export function hostClock(
  { monotonic, date }: Clocks = { monotonic: performance.now.bind(performance), date: Date.now },
): { nowUs(): number; calibrate(): void } {
  let offset = 0;
  const calibrate = () => {
    let largest = Number.NEGATIVE_INFINITY;
    const until = monotonic() + 3;
    for (let at = monotonic(); at < until; at = monotonic()) {
      largest = Math.max(largest, date() - monotonic());
    }
    offset = largest;
  };
  calibrate();
  return { nowUs: () => (monotonic() + offset) * 1_000, calibrate };
}
