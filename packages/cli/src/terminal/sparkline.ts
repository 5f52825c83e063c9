import type { Terminal } from "./terminal.ts";

/**
 * Counts over time as a row of bars, one character for each. Only zero is drawn with the lowest bar, so that a single event can
 * be seen beside many.
 */
export function sparkline(counts: readonly number[], { symbols }: Pick<Terminal, "symbols">): string {
  const bars = [...symbols.bars];
  const highest = bars.length - 1;
  const most = Math.max(1, ...counts);
  return counts.map((count) => bars[count <= 0 ? 0 : Math.max(1, Math.round((count / most) * highest))]).join("");
}

/** Counts of something, and when it was. */
interface TimedCount {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly count: number;
}

/** Adds up counts in equal stretches of time that end now. What lies outside of them is left out. */
export function sumByTime(
  points: readonly TimedCount[],
  { nowMs, spanMs, parts }: { readonly nowMs: number; readonly spanMs: number; readonly parts: number },
): number[] {
  const sums = Array.from({ length: parts }, () => 0);
  for (const { atMs, count } of points) {
    const at = Math.floor(((atMs - (nowMs - spanMs)) / spanMs) * parts);
    if (at >= 0 && at < parts) sums[at] = (sums[at] ?? 0) + count;
  }
  return sums;
}
