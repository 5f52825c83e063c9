import { DAY_MS, HOUR_MS } from "../incidents/incidents.ts";
import { databaseNow, inTransaction, MINUTES_KEPT_MS } from "../incidents/tables.ts";
import { migrate, type Pool, type PoolClient, type SchemaPart } from "../stores/postgres.ts";
import { type CallerCount, type CountBatch, type CountTime, DURATION_BOUNDS, type ToolCount } from "./counts.ts";

/** What each version adds, in order. Entries are never changed. */
const COUNT_TABLE_VERSIONS = [
  `create table call_count (
    width smallint not null,
    bucket timestamptz not null,
    upstream text not null,
    tool text not null,
    outcome text not null,
    n bigint not null,
    ms_hist int[] not null,
    primary key (width, bucket, upstream, tool, outcome)
  ) with (fillfactor = 70);
  create table upstream_call_count (
    width smallint not null,
    bucket timestamptz not null,
    upstream text not null,
    outcome text not null,
    n bigint not null,
    ms_hist int[] not null,
    primary key (width, bucket, upstream, outcome)
  ) with (fillfactor = 70);
  create table caller_count (
    width smallint not null,
    what text not null,
    bucket timestamptz not null,
    tenant text not null,
    caller text not null,
    policy text not null,
    n bigint not null,
    last timestamptz not null,
    primary key (width, what, bucket, tenant, caller, policy)
  ) with (fillfactor = 70);
  create table count_ingest (
    replica text primary key,
    seq bigint not null,
    at timestamptz not null default clock_timestamp()
  ) with (fillfactor = 50);`,
] as const;

export const COUNT_SCHEMA: SchemaPart = { part: "counts", versions: COUNT_TABLE_VERSIONS };

/** Makes the tables of the counts, or brings them up to date. */
export function createCountTables(pool: Pool): Promise<void> {
  return migrate(pool, [COUNT_SCHEMA]);
}

export const COUNT_HOURS_KEPT_MS: number = 30 * DAY_MS;
/** A replica that wrote nothing for this long has ended. */
const COUNT_INGEST_KEPT_MS = 7 * DAY_MS;
/** The lock for retention: one replica at a time. */
const COUNT_LOCK = "727861737, 5";

/**
 * Deletes counts that are older than they may be; those of callers go with the incidents. False if another replica is
 * doing it.
 */
export async function deleteOldCounts(connection: PoolClient, incidentsKeptMs: number): Promise<boolean> {
  const now = await databaseNow(connection);
  return inTransaction(connection, async () => {
    const { rows } = await connection.query<{ got: boolean }>(`select pg_try_advisory_xact_lock(${COUNT_LOCK}) as got`);
    if (rows[0]?.got !== true) return false;
    const callersMs = Math.min(incidentsKeptMs, COUNT_HOURS_KEPT_MS);
    // The days of calls are kept for twice as long: a month is compared with the one before.
    const kept = [
      ["call_count", 1, MINUTES_KEPT_MS],
      ["call_count", 60, COUNT_HOURS_KEPT_MS],
      ["call_count", 1_440, COUNT_HOURS_KEPT_MS + DAY_MS],
      ["upstream_call_count", 1, MINUTES_KEPT_MS],
      ["upstream_call_count", 60, COUNT_HOURS_KEPT_MS],
      ["upstream_call_count", 1_440, 2 * COUNT_HOURS_KEPT_MS + DAY_MS],
      ["caller_count", 1, Math.min(MINUTES_KEPT_MS, callersMs)],
      ["caller_count", 60, callersMs],
      ["caller_count", 1_440, callersMs + DAY_MS],
    ] as const;
    for (const [table, width, ms] of kept) {
      const text = `delete from ${table} where width = ${width} and (bucket < $1 or bucket > $2)`;
      // What lies days ahead was counted by a wrong clock.
      await connection.query({ text, values: [now - ms, now + 2 * DAY_MS].map((at) => new Date(at).toISOString()) });
    }
    const before = new Date(now - COUNT_INGEST_KEPT_MS).toISOString();
    await connection.query({ text: "delete from count_ingest where at < $1", values: [before] });
    return true;
  });
}

/** One batch, with the name under which the database remembers that it has it. */
interface CountDelivery {
  readonly replica: string;
  readonly seq: number;
  readonly batch: CountBatch;
}

/** Writes a batch, or nothing if the database has it already: a commit whose answer was lost is safely repeated. */
export async function writeCounts(connection: PoolClient, { replica, seq, batch }: CountDelivery): Promise<void> {
  await inTransaction(connection, async () => {
    const { rowCount } = await connection.query({ text: INSERT_COUNT_INGEST, values: [replica, seq] });
    if (rowCount === 0) return;
    const upstreams = batch.tools.map((count) => ({ ...count, tool: "" }));
    for (const [text, values] of [
      [UPSERT_TOOLS, toolArrays(batch.tools, "tools")],
      [UPSERT_UPSTREAMS, toolArrays(upstreams, "upstreams")],
      [UPSERT_CALLERS, callerArrays(batch.callers)],
    ] as const) {
      await connection.query({ text, values: [...values] });
    }
  });
}

const INSERT_COUNT_INGEST = `insert into count_ingest as known (replica, seq) values ($1, $2)
  on conflict (replica) do update set seq = excluded.seq, at = clock_timestamp() where known.seq < excluded.seq`;

const ADDED_DURATIONS = DURATION_BOUNDS.map(
  (_, index) => `known.ms_hist[${index + 1}] + excluded.ms_hist[${index + 1}]`,
).join(", ");
const ADD_CALLS = `n = known.n + excluded.n, ms_hist = array[${ADDED_DURATIONS}]`;

const UPSERT_TOOLS = `insert into call_count as known (width, bucket, upstream, outcome, n, ms_hist, tool)
  select width, to_timestamp(bucket / 1000), upstream, outcome, n, ms_hist::int[], tool
  from unnest($1::smallint[], $2::float8[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[])
    as row (width, bucket, upstream, outcome, n, ms_hist, tool)
  on conflict (width, bucket, upstream, tool, outcome) do update set ${ADD_CALLS}`;

const UPSERT_UPSTREAMS = `insert into upstream_call_count as known (width, bucket, upstream, outcome, n, ms_hist)
  select width, to_timestamp(bucket / 1000), upstream, outcome, n, ms_hist::int[]
  from unnest($1::smallint[], $2::float8[], $3::text[], $4::text[], $5::bigint[], $6::text[])
    as row (width, bucket, upstream, outcome, n, ms_hist)
  on conflict (width, bucket, upstream, outcome) do update set ${ADD_CALLS}`;

const UPSERT_CALLERS = `insert into caller_count as known (width, what, bucket, tenant, caller, policy, n, last)
  select width, what, to_timestamp(bucket / 1000), tenant, caller, policy, n, to_timestamp(last / 1000)
  from unnest($1::smallint[], $2::text[], $3::float8[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::float8[])
    as row (width, what, bucket, tenant, caller, policy, n, last)
  on conflict (width, what, bucket, tenant, caller, policy) do update set n = known.n + excluded.n,
    last = greatest(known.last, excluded.last)`;

export type CountRow<T> = T & { readonly width: 1 | 60 | 1_440; readonly bucketMs: number };

/** Each count once by minute, once by hour and once by day. */
export function inAllWidths<T extends CountTime>(counts: readonly T[]): readonly CountRow<T>[] {
  return counts.flatMap((count): CountRow<T>[] => [
    { ...count, width: 1_440, bucketMs: Math.floor(count.minuteMs / DAY_MS) * DAY_MS },
    { ...count, width: 60, bucketMs: Math.floor(count.minuteMs / HOUR_MS) * HOUR_MS },
    { ...count, width: 1, bucketMs: count.minuteMs },
  ]);
}

/** Rows with one key become one, in one order on all replicas, so that they never wait for each other in a circle. */
function mergeRows<T extends { n: number }>(
  rows: readonly T[],
  keyOf: (row: T) => string,
  addTo: (sum: T, row: T) => void,
): readonly T[] {
  const sums = new Map<string, T>();
  for (const row of rows) {
    const key = keyOf(row);
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, row);
    else addTo(sum, row);
  }
  return [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function toolArrays(counts: readonly (ToolCount & CountTime)[], table: "tools" | "upstreams"): readonly unknown[] {
  const all = inAllWidths(counts).map((row) => ({ ...row, durations: [...row.durations] }));
  const rows = mergeRows(
    all,
    ({ width, bucketMs, upstream, tool, outcome }) => [width, bucketMs, upstream, tool, outcome].join("\n"),
    (sum, row) => {
      sum.n += row.n;
      for (const [index, n] of row.durations.entries()) sum.durations[index] = (sum.durations[index] ?? 0) + n;
    },
  );
  const arrays = [
    rows.map((row) => row.width),
    rows.map((row) => row.bucketMs),
    rows.map((row) => row.upstream),
    rows.map((row) => row.outcome),
    rows.map((row) => row.n),
    rows.map((row) => `{${row.durations.join(",")}}`),
  ];
  return table === "upstreams" ? arrays : [...arrays, rows.map((row) => row.tool)];
}

function callerArrays(counts: readonly (CallerCount & CountTime)[]): readonly unknown[] {
  const rows = mergeRows(
    inAllWidths(counts),
    ({ width, what, bucketMs, tenant, caller, policy }) => [width, what, bucketMs, tenant, caller, policy].join("\n"),
    (sum, row) => {
      sum.n += row.n;
      sum.lastMs = Math.max(sum.lastMs, row.lastMs);
    },
  );
  return [
    rows.map((row) => row.width),
    rows.map((row) => row.what),
    rows.map((row) => row.bucketMs),
    rows.map((row) => row.tenant),
    rows.map((row) => row.caller),
    rows.map((row) => row.policy),
    rows.map((row) => row.n),
    rows.map((row) => row.lastMs),
  ];
}
