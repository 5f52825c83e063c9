// The causes of Now: which are shown, in which order, and in which colours of the chart.
import type { IncidentClass, Series } from "../../api/types.ts";
import type { ChartColour, ChartRow } from "../../parts/chart-data.ts";

/** A cause with the number of callers that it hit. */
export type RankedCause = IncidentClass & { readonly callers?: number | undefined };

/** How the causes can be ordered. */
export const CAUSE_ORDERS = {
  count: {
    words: "the most frequent first",
    compare: (one: RankedCause, other: RankedCause) => other.count - one.count,
  },
  last: {
    words: "the latest incident first",
    compare: (one: RankedCause, other: RankedCause) => Date.parse(other.lastSeen) - Date.parse(one.lastSeen),
  },
  first: {
    words: "the newest cause first",
    compare: (one: RankedCause, other: RankedCause) => Date.parse(other.firstSeen) - Date.parse(one.firstSeen),
  },
} as const;

/** One of the orders. */
export type CauseOrder = keyof typeof CAUSE_ORDERS;

/** The order of an address. */
export function causeOrder(text: string | null): CauseOrder {
  return text === "last" || text === "first" ? text : "count";
}

const RANKED: readonly ChartColour[] = ["c1", "c2", "c3", "c4", "c5"];
/** Rows of causes that have left the ranking stay until the user asks for the new ones; not more than these. */
const MAX_CAUSES_SHOWN = 12;

/** The causes on the page: rows do not jump, so what is new waits. */
export interface ShownCauses {
  /** In the order of the ranking when they were inserted: their colours are by this order. */
  readonly rows: readonly RankedCause[];
  /** How many causes of the answer are not in the list yet. */
  readonly waiting: number;
}

/** The rows with their present numbers. Causes that came later wait. Without rows before, all are shown. */
export function updateCauses(items: readonly RankedCause[], before: readonly RankedCause[] | undefined): ShownCauses {
  if (before === undefined || before.length === 0) return { rows: items, waiting: 0 };
  const present = new Map(items.map((one) => [one.fingerprint, one]));
  const rows = before.slice(0, MAX_CAUSES_SHOWN).map((one) => present.get(one.fingerprint) ?? one);
  const shown = new Set(rows.map(({ fingerprint }) => fingerprint));
  return { rows, waiting: items.filter(({ fingerprint }) => !shown.has(fingerprint)).length };
}

/** The colour of each shown cause: by its rank, and only if the series counts it by itself. */
export function causeColours(
  rows: readonly RankedCause[],
  series: Series | undefined,
): ReadonlyMap<string, ChartColour> {
  const counted = new Set(series?.groups.map(({ group }) => group));
  const ranked = rows.filter(({ fingerprint }) => counted.has(fingerprint)).slice(0, RANKED.length);
  return new Map(ranked.map(({ fingerprint }, rank) => [fingerprint, RANKED[rank] ?? "c0"]));
}

/** The stack of the chart: the ranked causes from the bottom up, then all others. */
export function causeChart(rows: readonly RankedCause[], series: Series): readonly ChartRow[] {
  const colours = causeColours(rows, series);
  const counts = new Map(series.groups.map((one) => [one.group, one.counts]));
  const others = series.groups.filter(({ group }) => !colours.has(group)).map((one) => one.counts);
  const ranked = [...colours].map(([fingerprint, colour]) => {
    const cause = rows.find((one) => one.fingerprint === fingerprint);
    return { name: causeTitle(cause, fingerprint), colour, counts: counts.get(fingerprint) ?? [] };
  });
  const rest = [...others, series.other.counts];
  const sums = Array.from({ length: series.length }, (_, at) => rest.reduce((all, one) => all + (one[at] ?? 0), 0));
  return [...ranked, { name: "All others", colour: "c0", counts: sums }];
}

function causeTitle(cause: RankedCause | undefined, fingerprint: string): string {
  if (cause === undefined) return fingerprint.slice(0, 8);
  const title = cause.title || cause.reason;
  return cause.tool === undefined ? title : `${title}, ${cause.tool}`;
}
