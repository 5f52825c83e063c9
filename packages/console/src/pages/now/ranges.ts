// The times that Now can show, and how they are called.
import type { Overview, Range, Series } from "../../api/types.ts";

/** How a range is called: on its button, after "in", as a heading, and its length in ms. */
export const RANGE_WORDS = {
  "15m": { button: "15 min", last: "the last 15 minutes", head: "Last 15 min", ms: 900_000 },
  "1h": { button: "1 h", last: "the last hour", head: "Last hour", ms: 3_600_000 },
  "24h": { button: "24 h", last: "the last 24 hours", head: "Last 24 h", ms: 86_400_000 },
  "7d": { button: "7 d", last: "the last 7 days", head: "Last 7 days", ms: 604_800_000 },
  "30d": { button: "30 d", last: "the last 30 days", head: "Last 30 days", ms: 2_592_000_000 },
} as const satisfies Record<Range, { button: string; last: string; head: string; ms: number }>;

/** The ranges, the shortest first. */
export const RANGE_NAMES = Object.keys(RANGE_WORDS) as readonly Range[];

/** What one bar counts. */
export const STEP_WORDS = { minute: "a minute", hour: "an hour", day: "a day" } as const satisfies Record<
  Series["step"],
  string
>;

/** The range of an address; one hour if it names none. */
export function rangeInAddress(text: string | null): Range {
  return RANGE_NAMES.find((name) => name === text) ?? "1h";
}

/** The range that an answer is for: the one whose length is nearest. */
export function overviewRange({ asOf, since }: Pick<Overview, "asOf" | "since">): Range {
  const length = Math.max(1, Date.parse(asOf) - Date.parse(since));
  const distance = (name: Range) => Math.abs(Math.log(RANGE_WORDS[name].ms / length));
  return Number.isNaN(length)
    ? "1h"
    : RANGE_NAMES.reduce((best, name) => (distance(name) < distance(best) ? name : best));
}

/** The shortest range that reaches back to a time, if one does. With `from`, only those that are longer. */
export function rangeReaching(
  at: string,
  { nowMs, from }: { readonly nowMs: number; readonly from?: Range },
): Range | undefined {
  const age = nowMs - Date.parse(at);
  const longer = from === undefined ? RANGE_NAMES : RANGE_NAMES.slice(RANGE_NAMES.indexOf(from) + 1);
  return longer.find((name) => RANGE_WORDS[name].ms >= age);
}
