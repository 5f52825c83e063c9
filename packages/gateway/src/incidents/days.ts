import { type Connection, inTransaction } from "./pool.ts";

export const DAY_MS = 86_400_000;
/** The lock for partitions and retention: one replica at a time. */
const LOCK = "727861737, 3";
/** Partitions are made this many days ahead. */
const AHEAD = 2;

/** The day of a time, as a number. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** The name of the partition of a day. */
function partitionOf(day: number): string {
  return `incident_${dateOf(day).replaceAll("-", "")}`;
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The time of the database, in ms since 1970. */
export async function databaseNow(connection: Pick<Connection, "query">): Promise<number> {
  const { rows } = await connection.query({ text: "select extract(epoch from clock_timestamp()) * 1000 as now" });
  return Math.floor(Number((rows[0] as { now: unknown }).now));
}

/** Makes the partitions of some days where they are missing. A transaction that writes never waits for it long. */
export async function makePartitions(connection: Connection, days: readonly number[]): Promise<void> {
  const missing = await missingOf(connection, days);
  if (missing.length === 0) return;
  await inTransaction(connection, async () => {
    await connection.query({ text: `select pg_advisory_xact_lock(${LOCK})` });
    for (const day of await missingOf(connection, missing)) {
      const name = partitionOf(day);
      const bounds = `from ('${dateOf(day)}T00:00:00Z') to ('${dateOf(day + 1)}T00:00:00Z')`;
      // Attaching locks out nobody who reads or writes; making a partition in one step would.
      await connection.query({ text: `create table ${name} (like incident including defaults)` });
      await connection.query({ text: `alter table incident attach partition ${name} for values ${bounds}` });
    }
  });
}

/** The days around a time that partitions are made for. */
export function daysAround(nowMs: number): readonly number[] {
  return Array.from({ length: AHEAD + 2 }, (_, index) => dayOf(nowMs) - 1 + index);
}

async function missingOf(connection: Connection, days: readonly number[]): Promise<readonly number[]> {
  const { rows } = await connection.query({ text: PARTITIONS });
  const names = new Set(rows.map((row) => (row as { name: string }).name));
  return days.filter((day) => !names.has(partitionOf(day)));
}

// Not `to_regclass`: a connection remembers for a while that it found nothing.
const PARTITIONS = `select child.relname as name from pg_inherits
  join pg_class child on child.oid = inhrelid where inhparent = 'incident'::regclass`;
/** Minutes are told apart for this long; hours as long as incidents are kept. */
export const MINUTES_KEPT_MS: number = 2 * DAY_MS;
/** A replica that wrote nothing for so long has ended. */
const INGEST_KEPT_MS = 7 * DAY_MS;

/** Deletes what is older than it may be. Gives false where another replica is doing it. */
export async function deleteOld(connection: Connection, keepMs: number): Promise<boolean> {
  const now = await databaseNow(connection);
  return inTransaction(connection, async () => {
    const { rows } = await connection.query({ text: `select pg_try_advisory_xact_lock(${LOCK}) as got` });
    if ((rows[0] as { got: boolean }).got !== true) return false;
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
    const first = partitionOf(dayOf(now - keepMs));
    const partitions = await connection.query({ text: PARTITIONS });
    const names = partitions.rows.map((row) => (row as { name: string }).name);
    for (const name of names.filter((one) => one < first)) await connection.query({ text: `drop table ${name}` });
    return true;
  });
}
