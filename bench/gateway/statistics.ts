/** A median, and where the true one lies in 95 of 100 cases, whatever the distribution is. */
export interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** How often the true median lies outside of an interval, on each side. */
const MISSED_SHARE = 0.025;

/** The middle value, or the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * The median with its interval. Each value is above the true median as often as below it, so the count of those below is that of
 * heads among tossed coins, and two of the sorted values bound the median. Fewer than 6 values bound nothing.
 */
export function estimate(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const { length } = sorted;
  let outside = 0;
  // The logarithm of the chance that exactly this many of the values are below the median: the chance itself may be too small
  // for a number.
  let chance = length * Math.log(0.5);
  let missed = Math.exp(chance);
  while (missed <= MISSED_SHARE) {
    outside += 1;
    chance += Math.log((length - outside + 1) / outside);
    missed += Math.exp(chance);
  }
  return {
    median: medianOf(sorted),
    low: outside === 0 ? Number.NEGATIVE_INFINITY : (sorted[outside - 1] as number),
    high: outside === 0 ? Number.POSITIVE_INFINITY : (sorted[length - outside] as number),
  };
}

/** The ratios of values that were measured in the same rounds. */
export function pairedRatio(above: readonly number[], below: readonly number[]): Estimate {
  if (above.length !== below.length) throw new Error("values of different rounds cannot be paired");
  return estimate(above.map((one, at) => one / (below[at] as number)));
}

/** Half the width of the interval, as a share of the median. */
export function halfWidth({ median, low, high }: Estimate): number {
  return (high - low) / 2 / Math.abs(median);
}

/** An estimate as text. If its interval is wider than allowed, the text says so instead of a figure. */
export function estimateText(one: Estimate, { maxHalfWidth, digits = 2 }: EstimateTextOptions): string {
  const half = halfWidth(one);
  if (!(half <= maxHalfWidth)) {
    return Number.isFinite(half) ? `not measured: ± ${(half * 100).toFixed(0)} %` : "not measured: too few rounds";
  }
  return `${one.median.toFixed(digits)} (${one.low.toFixed(digits)} … ${one.high.toFixed(digits)})`;
}

/** How an estimate is written. */
export interface EstimateTextOptions {
  /** The widest interval of a figure: half of it, as a share of the figure. */
  readonly maxHalfWidth: number;
  /** @default 2 */
  readonly digits?: number;
}

/**
 * The same things in another order. What takes turns does so by chance, so that nothing always runs after the same predecessor,
 * which may leave caches and garbage behind.
 */
export function shuffled<T>(all: readonly T[], random: () => number): readonly T[] {
  const keyed = all.map((one) => ({ one, key: random() }));
  return keyed.toSorted((a, b) => a.key - b.key).map(({ one }) => one);
}
