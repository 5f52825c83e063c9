// The filters of the list of incidents, as they stand in the address and as the API takes them.

/** What incidents are filtered by. Each is a member of the address and of the API alike. */
const INCIDENT_FILTERS = [
  "kind",
  "reason",
  "tool",
  "upstream",
  "tenant",
  "caller",
  "fingerprint",
  "trace",
  "since",
  "until",
] as const;

/** The name of a filter. */
export type FilterName = (typeof INCIDENT_FILTERS)[number];

/** The filters that are set. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** Longer values are refused by the API. */
const MAX_VALUE = 1_024;

/** Reads the filters of an address. Empty ones are none. */
export function readFilters(query: URLSearchParams): Filters {
  return Object.fromEntries(
    INCIDENT_FILTERS.flatMap((name) => {
      const value = query.get(name)?.trim().slice(0, MAX_VALUE);
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
}

/** Rows of a page. */
const ROWS = 50;

/** The path of the API for one page of the list. */
export function incidentsPath(filters: Filters, before: string | null): string {
  const query = new URLSearchParams(filters as Record<string, string>);
  query.set("limit", String(ROWS));
  if (before !== null && before !== "") query.set("before", before);
  return `incidents?${query}`;
}

/** Times to choose from, as how long before now. */
export const SINCE_CHOICES = [
  { words: "Last hour", ms: 3_600_000 },
  { words: "Last 24 hours", ms: 86_400_000 },
  { words: "Last 7 days", ms: 604_800_000 },
] as const;
