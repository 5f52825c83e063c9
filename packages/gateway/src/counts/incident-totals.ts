import { addClassFilter, Conditions, fingerprintBytes, needsRows } from "../incidents/filters.ts";
import { DAY_MS, type IncidentClass, type IncidentFilter, type IncidentReader } from "../incidents/incidents.ts";
import { readIncidentClasses, SELECT_CLASSES } from "../incidents/postgres-reader.ts";
import type { Pool, QueryResultRow } from "../stores/postgres.ts";
import type {
  GroupSeries,
  IncidentCauses,
  IncidentHit,
  IncidentHits,
  IncidentSeries,
  IncidentTotals,
  SeriesGroup,
} from "./counts.ts";
import { type CountWindow, stepOf, toIso } from "./windows.ts";

/** Incidents of one cause in which its callers are counted. */
const MAX_HIT_ROWS = 1_000;
/** The most causes that a store in memory knows. */
const MAX_LISTED_CAUSES = 1_000;

/** One count of a group. */
interface SeriesPoint {
  readonly atMs: number;
  readonly group: string;
  readonly n: number;
}

/** Totals of incidents by what any reader gives: for a store in memory, and for filters that only incidents themselves answer. */
export function readerTotals(reader: IncidentReader): IncidentTotals {
  return {
    async series(window, { by, top, filter }) {
      const width = window.step === "minute" ? "minute" : "hour";
      const points = await reader.rates({ ...filter, since: toIso(window.sinceMs) }, by, width);
      return toSeries(
        window,
        top,
        points.map(({ at, group, count }) => ({ atMs: Date.parse(at), group, n: count })),
      );
    },
    causes: async () => toCauses(await reader.findClasses("", MAX_LISTED_CAUSES)),
    async callersHit({ sinceMs }, fingerprints) {
      const since = toIso(sinceMs);
      const found = fingerprints.map(async (fingerprint) => {
        const rows = await reader.search({ fingerprint, since }, { limit: MAX_HIT_ROWS });
        return [fingerprint, new Set(rows.flatMap(({ caller }) => caller ?? [])).size] as const;
      });
      return new Map(await Promise.all(found));
    },
    async hits(fingerprint, { by, limit }) {
      const rows = await reader.search({ fingerprint }, { limit: MAX_HIT_ROWS });
      const groups = Map.groupBy(rows, (row) => row[by] ?? "");
      const found = [...groups].map(([group, all]) => ({ group, count: all.length, last: all[0]?.at ?? "" }));
      return toHits(found, limit);
    },
  };
}

function toCauses(classes: readonly IncidentClass[]): IncidentCauses {
  const [last] = classes.toSorted((one, other) => (one.lastSeen < other.lastSeen ? 1 : -1));
  return { named: new Map(classes.map((one) => [one.fingerprint, one])), last };
}

/** The largest groups, of what was found in the newest incidents. */
function toHits(found: readonly IncidentHit[], limit: number): IncidentHits {
  const looked = found.reduce((sum, { count }) => sum + count, 0);
  const named = found.filter(({ group }) => group !== "").toSorted((one, other) => other.count - one.count);
  const items = named.slice(0, limit);
  const listed = items.reduce((sum, { count }) => sum + count, 0);
  return {
    items,
    count: named.length,
    other: looked - listed,
    of: looked >= MAX_HIT_ROWS ? MAX_HIT_ROWS : undefined,
  };
}

export function postgresTotals(pool: Pool, reader: IncidentReader): IncidentTotals {
  const fromRows = readerTotals(reader);
  const query = async <T extends QueryResultRow>(text: string, values: unknown[]): Promise<readonly T[]> =>
    (await pool.query<T>(text, values)).rows;
  return {
    async series(window, question) {
      const { by, top, filter } = question;
      if (needsRows(filter)) return fromRows.series(window, question);
      const rows = await query<TotalsRow>(...seriesStatement(window, by, top, filter));
      return readSeries(window, rows);
    },
    async causes(fingerprints) {
      const text = `${SELECT_CLASSES} where c.fp = any($1::bytea[]) or c.fp = (${NEWEST_CLASS})`;
      return toCauses(await readIncidentClasses(await query(text, [fingerprints.map(fingerprintBytes)])));
    },
    async callersHit({ sinceMs, nowMs }, fingerprints) {
      // Incidents are kept by day: looking through many days for each cause would take longer than all the rest.
      if (fingerprints.length === 0 || nowMs - sinceMs > DAY_MS) return new Map();
      const rows = await query<{ readonly fp: string; readonly n: number }>(
        ...callersHitStatement(sinceMs, fingerprints),
      );
      return new Map(rows.map(({ fp, n }) => [fp, n]));
    },
    async hits(fingerprint, { by, limit }) {
      const rows = await query<{ readonly group: string; readonly count: number; readonly last: Date }>(
        `select coalesce(${by}, '') as "group", count(*)::float8 as count, max(at) as last from (
            select tenant, caller, at from incident where fp = $1 order by at desc limit ${MAX_HIT_ROWS}) i group by 1`,
        [fingerprintBytes(fingerprint)],
      );
      return toHits(
        rows.map(({ last, ...row }) => ({ ...row, last: last.toISOString() })),
        limit,
      );
    },
  };
}

/** Those of the newest hour are few. */
const NEWEST_CLASS = `select l.fp from incident_class l where l.fp in (
    select fp from incident_count where width = 60
      and bucket = (select max(bucket) from incident_count where width = 60))
  order by l.last_seen desc limit 1`;

/** One part for each fingerprint: the database then knows how frequent it is, and reads its newest incidents by the index. */
function callersHitStatement(sinceMs: number, fingerprints: readonly string[]): [text: string, values: unknown[]] {
  const values = new Conditions();
  const since = values.value(toIso(sinceMs));
  const parts = fingerprints.map((fingerprint) => {
    const fp = values.value(fingerprintBytes(fingerprint));
    return `select encode(${fp}::bytea, 'hex') as fp, count(distinct caller)::float8 as n from (
      select caller from incident where fp = ${fp}::bytea and at >= ${since}::timestamptz
        order by at desc limit ${MAX_HIT_ROWS}) i`;
  });
  return [parts.join(" union all "), values.values];
}

/** Incidents of one of the largest groups in a step, or of all groups together if `group` is null. */
interface TotalsRow {
  readonly bucket: Date;
  readonly group: string | null;
  readonly n: number;
  /** How many groups there are. */
  readonly groups: number;
}

const SERIES_COLUMNS = {
  fingerprint: "n.fp",
  kind: "c.kind",
  reason: "c.reason",
  upstream: "coalesce(c.upstream, '')",
  tool: "coalesce(c.tool, '')",
} as const satisfies Record<SeriesGroup, string>;

function seriesStatement(
  window: CountWindow,
  by: SeriesGroup,
  top: number,
  filter: IncidentFilter,
): [text: string, values: unknown[]] {
  const { fingerprint, ...aboutClass } = filter;
  const where = new Conditions();
  where.add(`n.width = ${window.width}`);
  where.add(`n.bucket >= ${where.value(toIso(window.sinceMs))}::timestamptz`);
  where.add(`n.bucket < ${where.value(toIso(window.untilMs))}::timestamptz`);
  if (fingerprint !== undefined) where.add(`n.fp = ${where.value(fingerprintBytes(fingerprint))}`);
  // Fingerprints are counted as they are; everything else is known of their classes.
  const isPlain = by === "fingerprint" && Object.values(aboutClass).every((one) => one === undefined);
  if (!isPlain) addClassFilter(where, aboutClass, "c");
  const from = isPlain ? "incident_count n" : "incident_count n join incident_class c on c.fp = n.fp";
  const column = SERIES_COLUMNS[by];
  const shown = by === "fingerprint" ? "encode(n.fp, 'hex')" : column;
  // The rows are added up once, by step and by group. The largest groups are few, and are read again.
  const text = `with counted as materialized (
      select n.bucket, ${column} as g, sum(n.n)::float8 as n from ${from} where ${where.sql}
        group by grouping sets ((n.bucket), (${column}))),
    top as materialized (select g from counted where g is not null order by n desc, g limit ${where.value(top)})
    select bucket, null as "group", n, (select count(g) from counted)::float8 as groups from counted where g is null
    union all select n.bucket, ${shown}, sum(n.n)::float8, 0 from ${from} join top on top.g = ${column}
      where ${where.sql} group by n.bucket, ${column}`;
  return [text, where.values];
}

function readSeries(window: CountWindow, rows: readonly TotalsRow[]): IncidentSeries {
  const points = rows.map(({ bucket, group, n }) => ({ atMs: bucket.getTime(), group, n }));
  const groups = groupPoints(
    window,
    points.flatMap(({ group, ...point }) => (group === null ? [] : [{ ...point, group }])),
  );
  const [all] = groupPoints(
    window,
    points.flatMap((point) => (point.group === null ? [{ ...point, group: "" }] : [])),
  );
  const rest = (sum: number, ofGroups: readonly number[]) => ofGroups.reduce((left, n) => left - n, sum);
  return {
    groups,
    other: {
      groups: (rows[0]?.groups ?? 0) - groups.length,
      total: rest(
        all?.total ?? 0,
        groups.map(({ total }) => total),
      ),
      counts: (all?.counts ?? emptyCounts(window)).map((n, index) =>
        rest(
          n,
          groups.map(({ counts }) => counts[index] ?? 0),
        ),
      ),
    },
  };
}

/** A series with fewer groups; the smallest become part of all others. */
export function cutSeries({ groups, other }: IncidentSeries, top: number): IncidentSeries {
  const rest = [...groups.slice(top), other];
  return {
    groups: groups.slice(0, top),
    other: {
      groups: groups.length - Math.min(top, groups.length) + other.groups,
      total: rest.reduce((sum, { total }) => sum + total, 0),
      counts: other.counts.map((_, index) => rest.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)),
    },
  };
}

/** The largest groups, and all others together. */
function toSeries(window: CountWindow, top: number, points: readonly SeriesPoint[]): IncidentSeries {
  const groups = groupPoints(window, points);
  return cutSeries({ groups, other: { groups: 0, total: 0, counts: emptyCounts(window) } }, top);
}

function groupPoints(window: CountWindow, points: readonly SeriesPoint[]): readonly GroupSeries[] {
  const groups = [...Map.groupBy(points, ({ group }) => group)].map(([group, all]) => {
    const counts = emptyCounts(window);
    for (const { atMs, n } of all) {
      const index = stepOf(window, atMs);
      if (index !== undefined) counts[index] = (counts[index] ?? 0) + n;
    }
    return { group, total: counts.reduce((sum, n) => sum + n, 0), counts };
  });
  return groups
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => other.total - one.total || (one.group < other.group ? -1 : 1));
}

function emptyCounts({ length }: CountWindow): number[] {
  return new Array<number>(length).fill(0);
}
