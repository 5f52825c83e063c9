// The numbers of a chart, without drawing: stacks, times, and the sentence that a screen reader reads.
import type { Series } from "../api/types.ts";
import { count } from "../format/numbers.ts";
import { clock, day } from "../format/time.ts";

/** The colours of a chart: five for the ranked causes, `c0` for all others. */
export type ChartColour = "c0" | "c1" | "c2" | "c3" | "c4" | "c5";

/** One colour of the stack. */
export interface ChartRow {
  readonly name: string;
  readonly colour: ChartColour;
  readonly counts: readonly number[];
}

/** A change, as a dashed line with a label. */
export interface ChartMark {
  readonly at: string;
  readonly label: string;
}

/** What a chart shows: counts for each step, the first row at the bottom. */
export interface ChartData {
  /** When the first step begins. */
  readonly since: string;
  readonly step: Series["step"];
  readonly rows: readonly ChartRow[];
  readonly marks?: readonly ChartMark[];
}

const STEP_SECONDS = { minute: 60, hour: 3_600, day: 86_400 } as const satisfies Record<Series["step"], number>;

/** How long a step is, in seconds. */
export function stepSeconds(step: Series["step"]): number {
  return STEP_SECONDS[step];
}

/** How many steps there are. */
export function chartLength({ rows }: Pick<ChartData, "rows">): number {
  return Math.max(0, ...rows.map(({ counts }) => counts.length));
}

/** The starts of the steps, in seconds since 1970. */
export function stepTimes({ since, step, rows }: ChartData): number[] {
  const start = Math.floor(Date.parse(since) / 1_000);
  return Array.from({ length: chartLength({ rows }) }, (_, at) => start + at * STEP_SECONDS[step]);
}

/** Each row on top of those before it. */
export function stackRows(rows: readonly ChartRow[]): number[][] {
  const length = chartLength({ rows });
  const below = Array.from({ length }, () => 0);
  return rows.map(({ counts }) =>
    below.map((sum, at) => {
      below[at] = sum + (counts[at] ?? 0);
      return below[at];
    }),
  );
}

/** A time on the axis and in the table: the time of day for minutes and hours, the day for days. */
export function stepLabel(
  seconds: number,
  { step, isLong = false }: { readonly step: Series["step"]; readonly isLong?: boolean },
): string {
  const date = day(seconds * 1_000).replace(/ \d{4}$/, "");
  if (step === "day") return date;
  const time = clock(seconds * 1_000, { seconds: false });
  return isLong ? `${date}, ${time}` : time;
}

/** The sentence of a chart: what it shows, how much there is, and the highest step. */
export function chartSentence({ what, data }: { readonly what: string; readonly data: ChartData }): string {
  const totals = stackRows(data.rows).at(-1) ?? [];
  const highest = Math.max(0, ...totals);
  if (highest === 0) return `${what}: none.`;
  const all = data.rows.reduce((sum, { counts }) => sum + counts.reduce((one, other) => one + other, 0), 0);
  const at = stepTimes(data)[totals.indexOf(highest)] ?? 0;
  return `${what}: ${count(all)} in all, at most ${count(highest)}, at ${stepLabel(at, { step: data.step, isLong: data.step === "hour" })}.`;
}

/** Counts of a series in fewer bars, for a sparkline: each bar is the sum of its steps. */
export function shrinkCounts(counts: readonly number[], bars: number): number[] {
  const size = Math.max(1, counts.length / bars);
  return Array.from({ length: Math.min(bars, counts.length) }, (_, bar) =>
    counts.slice(Math.round(bar * size), Math.round((bar + 1) * size)).reduce((all, one) => all + one, 0),
  );
}
