import { race, sleep } from "@recourse/core/wire";
import { migrate, type Pool, type PoolClient, type SchemaPart } from "../stores/postgres.ts";
import { DAY_MS } from "./incidents.ts";

/** What each version adds, in order. Entries are never changed. */
const INCIDENT_TABLE_VERSIONS = [
  `create table incident_class (
    fp bytea primary key,
    reason text not null,
    kind text not null,
    tool text,
    upstream text,
    message text not null,
    caller text,
    first_seen timestamptz not null,
    last_seen timestamptz not null
  ) with (fillfactor = 70);
  create table incident_count (
    width smallint not null,
    bucket timestamptz not null,
    fp bytea not null,
    n bigint not null,
    primary key (width, bucket, fp)
  ) partition by list (width);
  create table incident_minute partition of incident_count for values in (1) with (fillfactor = 70);
  create table incident_hour partition of incident_count for values in (60) with (fillfactor = 70);
  create table incident_day partition of incident_count for values in (1440) with (fillfactor = 70);
  create index incident_count_fp on incident_count (fp, width, bucket);
  create table incident (
    id text not null,
    at timestamptz not null,
    fp bytea not null,
    reason text not null,
    kind text not null,
    tenant text,
    caller text,
    tool text,
    upstream text,
    sample jsonb
  ) partition by range (at);
  create index incident_id on incident (id);
  create index incident_at on incident (at, id);
  create index incident_fp on incident (fp, at);
  create index incident_tenant on incident (tenant, at);
  create index incident_caller on incident (caller, at) where caller is not null;
  create table incident_ingest (
    replica text primary key,
    seq bigint not null,
    at timestamptz not null default clock_timestamp()
  ) with (fillfactor = 50);`,
  `alter table incident add column upstream_incident text;
  create index incident_upstream_incident on incident (upstream_incident) where upstream_incident is not null;`,
  `alter table incident add column effect smallint, add column trace text;
  create index incident_trace on incident (trace) where trace is not null;
  alter table incident_class add column effect smallint, add column sample_id text, add column sample_at timestamptz;`,
] as const;

export const INCIDENT_SCHEMA: SchemaPart = { part: "incidents", versions: INCIDENT_TABLE_VERSIONS };

/** Makes the tables of the incidents, or brings them up to date. */
export function createIncidentTables(pool: Pool): Promise<void> {
  return migrate(pool, [INCIDENT_SCHEMA]);
}

/** Runs work on a connection. One that failed, or gave no answer in time, is closed instead of being used again. */
export async function withConnection<T>(
  pool: Pool,
  run: (connection: PoolClient) => Promise<T>,
  { withinMs }: { /** @default no bound */ readonly withinMs?: number } = {},
): Promise<T> {
  const connection = await pool.connect();
  let isDone = false;
  try {
    const work = run(connection);
    const outcome = withinMs === undefined ? await work : await race(work, { ms: withinMs, sleep });
    // What was begun may still be done.
    if (typeof outcome === "symbol") throw new Error("no answer in time");
    isDone = true;
    return outcome as T;
  } finally {
    connection.release(!isDone);
  }
}

export async function inTransaction<T>(connection: PoolClient, run: () => Promise<T>): Promise<T> {
  await connection.query({ text: "begin" });
  try {
    const result = await run();
    await connection.query({ text: "commit" });
    return result;
  } catch (error) {
    await connection.query({ text: "rollback" }).catch(() => {});
    throw error;
  }
}

/** The lock for partitions and retention: one replica at a time. */
const LOCK = "727861737, 3";
/** Partitions are made this many days ahead. */
const AHEAD = 2;

export function dayNumber(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

function partitionName(day: number): string {
  return `incident_${isoDate(day).replaceAll("-", "")}`;
}

function isoDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export async function databaseNow(connection: PoolClient): Promise<number> {
  const { rows } = await connection.query({ text: "select extract(epoch from clock_timestamp()) * 1000 as now" });
  return Math.floor(Number(rows[0].now));
}

/** Makes the partitions of some days if they are missing. A transaction that writes never waits for it long. */
export async function makePartitions(connection: PoolClient, days: readonly number[]): Promise<void> {
  const missing = await missingDays(connection, days);
  if (missing.length === 0) return;
  await inTransaction(connection, async () => {
    await connection.query({ text: `select pg_advisory_xact_lock(${LOCK})` });
    for (const day of await missingDays(connection, missing)) {
      const name = partitionName(day);
      const bounds = `from ('${isoDate(day)}T00:00:00Z') to ('${isoDate(day + 1)}T00:00:00Z')`;
      // Attaching locks out nobody who reads or writes; making a partition in one step would.
      await connection.query({ text: `create table ${name} (like incident including defaults)` });
      await connection.query({ text: `alter table incident attach partition ${name} for values ${bounds}` });
    }
  });
}

/** The days around a time that partitions are made for. */
export function daysAround(nowMs: number): readonly number[] {
  return Array.from({ length: AHEAD + 2 }, (_, index) => dayNumber(nowMs) - 1 + index);
}

async function missingDays(connection: PoolClient, days: readonly number[]): Promise<readonly number[]> {
  const { rows } = await connection.query<{ name: string }>({ text: PARTITIONS });
  const names = new Set(rows.map(({ name }) => name));
  return days.filter((day) => !names.has(partitionName(day)));
}

// Not `to_regclass`: a connection remembers for a while that it found nothing.
const PARTITIONS = `select child.relname as name from pg_inherits
  join pg_class child on child.oid = inhrelid where inhparent = 'incident'::regclass`;
/** Counts are kept by the minute for this long, and by the hour as long as incidents are kept. */
export const MINUTES_KEPT_MS: number = 2 * DAY_MS;
/** A replica that wrote nothing for this long has ended. */
const INGEST_KEPT_MS = 7 * DAY_MS;

/** Deletes what is older than it may be. Gives false if another replica is doing it. */
export async function deleteOld(connection: PoolClient, keepMs: number): Promise<boolean> {
  const now = await databaseNow(connection);
  return inTransaction(connection, async () => {
    const { rows } = await connection.query<{ got: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as got`);
    if (rows[0]?.got !== true) return false;
    const before = (ms: number) => new Date(now - ms).toISOString();
    const minutes = before(Math.min(keepMs, MINUTES_KEPT_MS));
    for (const [text, value] of [
      ["delete from incident_count where width = 1 and bucket < $1", minutes],
      ["delete from incident_count where width = 60 and bucket < $1", before(keepMs)],
      ["delete from incident_count where width = 1440 and bucket < $1", before(keepMs + DAY_MS)],
      ["delete from incident_class where last_seen < $1", before(keepMs)],
      ["delete from incident_ingest where at < $1", before(INGEST_KEPT_MS)],
    ] as const) {
      await connection.query({ text, values: [value] });
    }
    // Dropping waits for readers, and writers would wait behind it: better another time.
    await connection.query({ text: "set local lock_timeout = '1s'" });
    const first = partitionName(dayNumber(now - keepMs));
    const partitions = await connection.query<{ name: string }>({ text: PARTITIONS });
    for (const { name } of partitions.rows) if (name < first) await connection.query(`drop table ${name}`);
    return true;
  });
}
