import { timeOfId } from "@recourse/wire";
import { addClassFilter, addRowFilter, Conditions, countRanges, fingerprintBytes, needsRows } from "./filters.ts";
import {
  DAY_MS,
  type IncidentClass,
  type IncidentFilter,
  type IncidentReader,
  type IncidentRow,
  type IncidentSample,
  type RateGroup,
  type RatePoint,
} from "./incidents.ts";
import { storedCallerForms } from "./sample.ts";
import type { IncidentPool, IncidentStatement } from "./tables.ts";

/** The most points of a chart. */
const MAX_POINTS = 20_000;

/** Options of `postgresReader`. */
interface ReaderOptions {
  readonly pool: Pick<IncidentPool, "query">;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
}

/** Reads incidents from tables that `createIncidentTables` has made. */
export function postgresReader({ pool, now }: ReaderOptions): IncidentReader {
  return {
    async find(id) {
      const atMs = timeOfId(id);
      // An id of another server can have any time, and it can be used twice: what came first is the original.
      const named = `select ${ROW_COLUMNS} from incident i where (i.id = $1 or i.upstream_incident = $1)`;
      // An id of this gateway counts before the same one of an upstream, which may name any.
      const first = "order by i.id <> $1, i.at limit 1";
      const near = `${named} and i.at between $2 and $3 ${first}`;
      const anywhere = `${named} ${first}`;
      if (atMs === undefined) return undefined;
      const times = [-DAY_MS, DAY_MS].map((away) => new Date(atMs + away).toISOString());
      const { rows } = await pool.query({ text: near, values: [id, ...times] });
      if (rows.length > 0) return readIncidentRow(rows[0]);
      const all = await pool.query({ text: anywhere, values: [id] });
      return all.rows.length === 0 ? undefined : readIncidentRow(all.rows[0]);
    },
    async search(filter, { limit, before, beforeAt }) {
      const where = new Conditions();
      addRowFilter(where, filter);
      if (before !== undefined) {
        const id = where.value(before);
        const at =
          beforeAt === undefined
            ? `(select min(at) from incident where id = ${id})`
            : `${where.value(beforeAt)}::timestamptz`;
        where.add(`(i.at, i.id) < (${at}, ${id})`);
      }
      const text = `select ${ROW_COLUMNS} from incident i where ${where.sql}
        order by i.at desc, i.id desc limit ${where.value(limit)}`;

      const { rows } = await pool.query({ text, values: where.values });
      return rows.map(readIncidentRow);
    },
    async ranking(filter, limit) {
      const where = new Conditions();
      const counted = needsRows(filter) ? countedRows(where, filter) : countedBuckets(where, filter, now());
      const about = new Conditions();
      about.values.push(...where.values);
      addClassFilter(about, filter, "c");
      const text = `select ${CLASS_COLUMNS}, s.n from (select fp, sum(n) as n from (${counted}) t group by fp) s
        join incident_class c on c.fp = s.fp where ${about.sql} order by s.n desc, c.fp limit ${about.value(limit)}`;
      const { rows } = await pool.query({ text, values: about.values });
      return rows.map(readIncidentClass);
    },
    async findClass(fingerprint) {
      const text = `select ${CLASS_COLUMNS}, (select coalesce(sum(n), 0) from incident_count where fp = c.fp and width = 1440) as n
        from incident_class c where c.fp = $1`;
      const { rows } = await pool.query({ text, values: [fingerprintBytes(fingerprint)] });
      return rows.length === 0 ? undefined : readIncidentClass(rows[0]);
    },
    async rates(filter, by, width) {
      const within = { ...filter, since: filter.since ?? new Date(now() - DEFAULT_MS[width]).toISOString() };
      const statement =
        needsRows(filter) || by === "caller" ? rowRates(within, by, width) : countRates(within, by, width);
      const { rows } = await pool.query(statement);
      return rows.map((row) => readPoint(row as RateRow)).toReversed();
    },
    async erase(caller) {
      const values = [storedCallerForms(caller)];
      const { rowCount } = await pool.query({ text: "delete from incident where caller = any($1)", values });
      // The sentence that describes a fingerprint may be the caller's too. The next incident gives another one.
      await pool.query({ text: FORGET_CALLER, values });
      return rowCount ?? 0;
    },
  };
}

// In the order in which batches are written, so that neither waits for the other in a circle.
const FORGET_CALLER = `with named as (select fp from incident_class where caller = any($1) order by fp for update)
  update incident_class set message = '', caller = null where fp in (select fp from named)`;

function countedRows(where: Conditions, filter: IncidentFilter): string {
  addRowFilter(where, filter);
  return `select i.fp, count(*) as n from incident i where ${where.sql} group by i.fp`;
}

function countedBuckets(where: Conditions, filter: IncidentFilter, nowMs: number): string {
  const parts = countRanges(filter, nowMs).map(({ width, fromMs, untilMs }) => {
    const from = where.value(new Date(fromMs).toISOString());
    const until = where.value(new Date(untilMs).toISOString());
    const one =
      filter.fingerprint === undefined ? "" : ` and fp = ${where.value(fingerprintBytes(filter.fingerprint))}`;
    return `select fp, n from incident_count
      where width = ${width} and bucket >= ${from}::timestamptz and bucket < ${until}::timestamptz${one}`;
  });
  return parts.length === 0 ? "select fp, n from incident_count where false" : parts.join(" union all ");
}

const GROUP_COLUMNS = {
  kind: "kind",
  reason: "reason",
  tool: "tool",
  upstream: "upstream",
  caller: "caller",
  fingerprint: "fp",
} as const satisfies Record<RateGroup, string>;

/** A filter that says when it begins. */
type RateFilter = IncidentFilter & { readonly since: string };

/** How far rates go back where the filter does not say it. */
const DEFAULT_MS = { minute: DAY_MS, hour: 30 * DAY_MS } as const;
const RATE_WIDTHS = { minute: 1, hour: 60 } as const;

/** The group of a row as text. */
function groupColumn(by: RateGroup, alias: string): string {
  return by === "fingerprint" ? `encode(${alias}.fp, 'hex')` : `coalesce(${alias}.${GROUP_COLUMNS[by]}, '')`;
}

function rowRates(filter: RateFilter, by: RateGroup, width: "minute" | "hour"): IncidentStatement {
  const where = new Conditions();
  addRowFilter(where, filter);
  const text = `select t.bucket, ${groupColumn(by, "t")} as label, t.n from (
      select date_bin('1 ${width}', i.at, 'epoch') as bucket, i.${GROUP_COLUMNS[by]}, count(*) as n
      from incident i where ${where.sql} group by 1, 2) t
    order by 1 desc, 2 desc limit ${MAX_POINTS}`;

  return { text, values: where.values };
}

function countRates(filter: RateFilter, by: RateGroup, width: "minute" | "hour"): IncidentStatement {
  const where = new Conditions();
  where.add(`n.width = ${RATE_WIDTHS[width]}`);
  where.add(`n.bucket >= date_bin('1 ${width}', ${where.value(filter.since)}::timestamptz, 'epoch')`);
  if (filter.until !== undefined) where.add(`n.bucket < ${where.value(filter.until)}::timestamptz`);
  addClassFilter(where, filter, "c");
  const text = `select n.bucket, ${groupColumn(by, "c")} as label, sum(n.n) as n
    from incident_count n join incident_class c on c.fp = n.fp where ${where.sql}
    group by 1, 2 order by 1 desc, 2 desc limit ${MAX_POINTS}`;

  return { text, values: where.values };
}

interface RateRow {
  readonly bucket: Date;
  readonly label: string;
  readonly n: string;
}

function readPoint({ bucket, label, n }: RateRow): RatePoint {
  return { at: bucket.toISOString(), group: label, count: Number(n) };
}

/** The columns of an incident, for the table `incident` as `i`. */
const ROW_COLUMNS =
  "i.id, i.at, encode(i.fp, 'hex') as fp, i.reason, i.kind, i.tenant, i.caller, i.tool, i.upstream, i.upstream_incident, i.sample";

interface DatabaseRow {
  readonly id: string;
  readonly at: Date;
  readonly fp: string;
  readonly reason: string;
  readonly kind: string;
  readonly tenant: string | null;
  readonly caller: string | null;
  readonly tool: string | null;
  readonly upstream: string | null;
  readonly upstream_incident: string | null;
  readonly sample: IncidentSample | null;
}

/** An incident as the database gives it. */
function readIncidentRow(from: unknown): IncidentRow {
  const { at, fp, tenant, caller, tool, upstream, upstream_incident, sample, ...row } = from as DatabaseRow;
  return {
    ...row,
    at: at.toISOString(),
    fingerprint: fp,
    tenant: tenant ?? undefined,
    caller: caller ?? undefined,
    tool: tool ?? undefined,
    upstream: upstream ?? undefined,
    upstreamIncident: upstream_incident ?? undefined,
    sample: sample ?? undefined,
  };
}

/** The columns of a fingerprint, for the table `incident_class` as `c`. */
const CLASS_COLUMNS =
  "encode(c.fp, 'hex') as fp, c.reason, c.kind, c.tool, c.upstream, c.message, c.first_seen, c.last_seen";

interface DatabaseClass {
  readonly fp: string;
  readonly reason: string;
  readonly kind: string;
  readonly tool: string | null;
  readonly upstream: string | null;
  readonly message: string;
  readonly first_seen: Date;
  readonly last_seen: Date;
  /** A bigint, which the driver gives as text. */
  readonly n: string;
}

/** A fingerprint as the database gives it. */
function readIncidentClass(from: unknown): IncidentClass {
  const { fp, tool, upstream, first_seen, last_seen, n, ...row } = from as DatabaseClass;
  return {
    ...row,
    fingerprint: fp,
    tool: tool ?? undefined,
    upstream: upstream ?? undefined,
    firstSeen: first_seen.toISOString(),
    lastSeen: last_seen.toISOString(),
    count: Number(n),
  };
}
