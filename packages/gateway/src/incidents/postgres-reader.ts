import { EFFECTS } from "@recourse/core";
import { timeOfId } from "@recourse/core/wire";
import type { Pool } from "../stores/postgres.ts";
import { explainClasses, type PlainClass } from "./explain-class.ts";
import { addRowFilter, Conditions, fingerprintBytes } from "./filters.ts";
import {
  DAY_MS,
  type IncidentClass,
  type IncidentReader,
  type IncidentRow,
  type IncidentSample,
  type RateGroup,
} from "./incidents.ts";
import { storedCallerForms } from "./sample.ts";

/** The most points of a chart. */
const MAX_POINTS = 20_000;

/** Reads incidents from tables that `createIncidentTables` has made. */
export function postgresReader(pool: Pool): IncidentReader {
  return {
    async find(id) {
      const atMs = timeOfId(id);
      // An id of another server can have any time, and it can be used twice: what came first is the original.
      const named = `select ${ROW_COLUMNS} from incident i where (i.id = $1 or i.upstream_incident = $1)`;
      // An id of this gateway counts before the same one of an upstream, which may name any.
      const first = `order by i.id <> $1, i.at limit ${MAX_SAME_ID}`;
      const near = `${named} and i.at between $2 and $3 ${first}`;
      const anywhere = `${named} ${first}`;
      if (atMs === undefined) return undefined;
      const times = [-DAY_MS, DAY_MS].map((away) => new Date(atMs + away).toISOString());
      const { rows } = await pool.query({ text: near, values: [id, ...times] });
      if (rows.length > 0) return firstOfId(rows, id);
      const all = await pool.query({ text: anywhere, values: [id] });
      return firstOfId(all.rows, id);
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
    async findClass(fingerprint) {
      const text = `${SELECT_CLASSES} where c.fp = $1`;
      const { rows } = await pool.query({ text, values: [fingerprintBytes(fingerprint)] });
      return (await readIncidentClasses(rows))[0];
    },
    async findClasses(prefix, limit) {
      const text = `${SELECT_CLASSES}
        where c.fp >= $1 and c.fp <= $2 order by c.last_seen desc limit ${Math.trunc(limit)}`;
      const [from, to] = ["0", "f"].map((digit) => fingerprintBytes(prefix.padEnd(FINGERPRINT_DIGITS, digit)));
      const { rows } = await pool.query({ text, values: [from, to] });
      return readIncidentClasses(rows);
    },
    async knownNames(text, since, limit) {
      const values = [text.toLowerCase(), since, limit];
      const { rows } = await pool.query<{ sort: string; name: string }>(KNOWN_NAMES, values);
      const ofSort = (sort: string) => rows.filter((row) => row.sort === sort).map(({ name }) => name);
      return {
        reasons: ofSort("reason"),
        tools: ofSort("tool"),
        upstreams: ofSort("upstream"),
        callers: ofSort("caller"),
      };
    },
    async rates(filter, by, width) {
      const where = new Conditions();
      addRowFilter(where, filter);
      const text = `select t.bucket, ${GROUP_COLUMNS[by]} as label, t.n from (
          select date_bin('1 ${width}', i.at, 'epoch') as bucket, i.${by === "fingerprint" ? "fp" : by}, count(*) as n
          from incident i where ${where.sql} group by 1, 2) t
        order by 1 desc, 2 desc limit ${MAX_POINTS}`;
      const { rows } = await pool.query<RateRow>(text, where.values);
      return rows
        .map(({ bucket, label, n }) => ({ at: bucket.toISOString(), group: label, count: Number(n) }))
        .toReversed();
    },
    async erase(caller) {
      const values = [storedCallerForms(caller)];
      const { rowCount } = await pool.query({ text: "delete from incident where caller = any($1)", values });
      await pool.query({ text: FORGET_SAMPLES });
      // The sentence that describes a fingerprint may be the caller's too. The next incident gives another one.
      await pool.query({ text: FORGET_CALLER, values });
      return rowCount ?? 0;
    },
  };
}

// In the order in which batches are written, so that neither waits for the other in a circle.
const FORGET_CALLER = `with named as (select fp from incident_class where caller = any($1) order by fp for update)
  update incident_class set message = '', caller = null where fp in (select fp from named)`;

// An incident that is gone must not be named.
const FORGET_SAMPLES = `with gone as (select fp from incident_class c where sample_id is not null
    and not exists (select from incident i where i.fp = c.fp and i.at = c.sample_at and i.id = c.sample_id)
    order by fp for update)
  update incident_class set sample_id = null, sample_at = null where fp in (select fp from gone)`;

/** How often all incidents of a fingerprint were seen, for the table `incident_class` as `c`. */
const ALL_SEEN = "(select coalesce(sum(n), 0) from incident_count where fp = c.fp and width = 1440)";

/** The most rows with one id that are read. */
const MAX_SAME_ID = 10;

const FINGERPRINT_DIGITS = 32;

/** So many of the newest incidents are searched for callers. */
const MAX_CALLER_ROWS = 20_000;

/** Names that contain a text: those that begin with it first. */
const KNOWN_NAMES = `with named as (
    select 'reason' as sort, reason as name, max(last_seen) as last from incident_class group by reason
    union all select 'tool', tool, max(last_seen) from incident_class where tool is not null group by tool
    union all select 'upstream', upstream, max(last_seen) from incident_class where upstream is not null group by upstream
    union all select 'caller', caller, max(at) from (
      select caller, at from incident where at >= $2::timestamptz order by at desc limit ${MAX_CALLER_ROWS}) newest
      where caller is not null group by caller),
  ranked as (select sort, name, row_number() over (
      partition by sort order by strpos(lower(name), $1) > 1, last desc, name) as place
    from named where strpos(lower(name), $1) > 0)
  select sort, name from ranked where place <= $3 order by sort, place`;

/** The first of some rows, and when others had the same id. */
function firstOfId(rows: readonly unknown[], id: string): IncidentRow | undefined {
  const [first, ...others] = rows.map(readIncidentRow);
  if (first === undefined) return undefined;
  const same = first.id === id ? others.filter((row) => row.id === id) : [];
  return same.length === 0 ? first : { ...first, othersAt: same.map((row) => row.at) };
}

const GROUP_COLUMNS = {
  kind: "t.kind",
  reason: "t.reason",
  tool: "coalesce(t.tool, '')",
  upstream: "coalesce(t.upstream, '')",
  fingerprint: "encode(t.fp, 'hex')",
} as const satisfies Record<RateGroup, string>;

interface RateRow {
  readonly bucket: Date;
  readonly label: string;
  readonly n: string;
}

/** The columns of an incident, for the table `incident` as `i`. */
const ROW_COLUMNS =
  "i.id, i.at, encode(i.fp, 'hex') as fp, i.reason, i.kind, i.tenant, i.caller, i.tool, i.upstream, i.upstream_incident, i.effect, i.trace, i.sample";

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
  readonly effect: number | null;
  readonly trace: string | null;
  readonly sample: IncidentSample | null;
}

/** An incident as the database gives it. */
function readIncidentRow(from: unknown): IncidentRow {
  const { at, fp, tenant, caller, tool, upstream, upstream_incident, effect, trace, sample, ...row } =
    from as DatabaseRow;
  return {
    ...row,
    at: at.toISOString(),
    fingerprint: fp,
    tenant: tenant ?? undefined,
    caller: caller ?? undefined,
    tool: tool ?? undefined,
    upstream: upstream ?? undefined,
    upstreamIncident: upstream_incident ?? undefined,
    effect: effect === null ? undefined : EFFECTS[effect],
    trace: trace ?? undefined,
    sample: sample ?? undefined,
  };
}

/** The columns of a fingerprint, for the table `incident_class` as `c`. */
const CLASS_COLUMNS =
  "encode(c.fp, 'hex') as fp, c.reason, c.kind, c.tool, c.upstream, c.message, c.first_seen, c.last_seen, c.effect, c.sample_id";

/** Selects fingerprints, for the table `incident_class` as `c`. `readIncidentClasses` reads the rows. */
export const SELECT_CLASSES: string = `select ${CLASS_COLUMNS}, ${ALL_SEEN} as n from incident_class c`;

interface DatabaseClass {
  readonly fp: string;
  readonly reason: string;
  readonly kind: string;
  readonly tool: string | null;
  readonly upstream: string | null;
  readonly message: string;
  readonly first_seen: Date;
  readonly last_seen: Date;
  readonly effect: number | null;
  readonly sample_id: string | null;
  /** A bigint, which the driver gives as text. */
  readonly n: string;
}

/** The fingerprints of rows, with what the library says about them. */
export function readIncidentClasses(rows: readonly unknown[]): Promise<readonly IncidentClass[]> {
  return explainClasses(rows.map(readIncidentClass));
}

/** A fingerprint as the database gives it. */
function readIncidentClass(from: unknown): PlainClass {
  const { fp, tool, upstream, first_seen, last_seen, effect, sample_id, n, ...row } = from as DatabaseClass;
  return {
    ...row,
    fingerprint: fp,
    tool: tool ?? undefined,
    upstream: upstream ?? undefined,
    effect: effect === null ? undefined : EFFECTS[effect],
    sampleId: sample_id ?? undefined,
    firstSeen: first_seen.toISOString(),
    lastSeen: last_seen.toISOString(),
    count: Number(n),
  };
}
