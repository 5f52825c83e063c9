import { DAY_MS, databaseNow, dayOf, daysAround, makePartitions } from "./days.ts";
import { type Connection, inTransaction } from "./pool.ts";
import type { Batch, WaitingRow } from "./spool.ts";
import type { ClassFacts, Tally } from "./tallies.ts";

/** One batch, with the name under which the database remembers that it has it. */
export interface Delivery {
  readonly replica: string;
  readonly seq: number;
  readonly batch: Batch;
  readonly keepMs: number;
  /** Days whose partitions are known to be there. */
  readonly days: Set<number>;
}

/** Writes a batch, or nothing where the database has it already: a commit whose answer was lost is safely repeated. */
export async function writeBatch(
  connection: Connection,
  { replica, seq, batch, keepMs, days }: Delivery,
): Promise<void> {
  const placed = await placeIn(connection, batch, keepMs, days);
  await inTransaction(connection, async () => {
    const { rowCount } = await connection.query({ text: INGEST, values: [replica, seq] });
    if (rowCount === 0) return;
    if (batch.rows.length > 0) await connection.query({ text: ROWS, values: rowArrays(batch.rows, placed) });
    // In one order on all replicas, so that they never wait for each other in a circle.
    await connection.query({ text: CLASSES, values: classArrays(batch.classes, placed) });
    await connection.query({ text: COUNTS, values: countArrays(batch.tallies, placed) });
  });
}

const INGEST = `insert into incident_ingest as known (replica, seq) values ($1, $2)
  on conflict (replica) do update set seq = excluded.seq, at = clock_timestamp() where known.seq < excluded.seq`;

const ROWS = `insert into incident (id, at, fp, reason, kind, tenant, caller, tool, upstream, sample,
    upstream_incident)
  select id, to_timestamp(at / 1000), decode(fp, 'hex'), reason, kind, tenant, caller, tool, upstream, sample::jsonb,
    upstream_incident
  from unnest($1::text[], $2::float8[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[])
    as row (id, at, fp, reason, kind, tenant, caller, tool, upstream, sample, upstream_incident)`;

const CLASSES = `insert into incident_class as known
    (fp, reason, kind, tool, upstream, message, caller, first_seen, last_seen)
  select decode(fp, 'hex'), reason, kind, tool, upstream, message, caller, to_timestamp(first / 1000),
    to_timestamp(last / 1000)
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[],
    $9::float8[]) as row (fp, reason, kind, tool, upstream, message, caller, first, last)
  on conflict (fp) do update set first_seen = least(known.first_seen, excluded.first_seen),
    last_seen = greatest(known.last_seen, excluded.last_seen),
    message = case when known.message = '' then excluded.message else known.message end,
    caller = case when known.message = '' then excluded.caller else known.caller end`;

const COUNTS = `insert into incident_count as known (width, bucket, fp, n)
  select width, to_timestamp(bucket / 1000), decode(fp, 'hex'), n
  from unnest($1::smallint[], $2::float8[], $3::text[], $4::bigint[]) as row (width, bucket, fp, n)
  on conflict (width, bucket, fp) do update set n = known.n + excluded.n`;

/** Where an incident is kept, in ms since 1970. */
type Place = (atMs: number) => number;

/**
 * Makes the partitions that a batch needs. A time that is too old, or days ahead, is the time of a wrong clock: there the
 * time of the database counts.
 */
async function placeIn(connection: Connection, batch: Batch, keepMs: number, known: Set<number>): Promise<Place> {
  const needed = new Set([
    ...batch.rows.map(({ atMs }) => dayOf(atMs)),
    ...batch.tallies.map((one) => dayOf(one.lastMs)),
  ]);
  const missing = [...needed].filter((day) => !known.has(day));
  if (missing.length === 0) return (atMs) => atMs;
  const now = await databaseNow(connection);
  const around = daysAround(now);
  const isPossible = (day: number) => day >= dayOf(now - keepMs) && day <= (around.at(-1) ?? 0);
  const days = [...new Set([...around, ...missing.filter(isPossible)])];
  await makePartitions(connection, days);
  for (const day of days) known.add(day);
  return (atMs) => (isPossible(dayOf(atMs)) ? atMs : now - (now % DAY_MS) + (((atMs % DAY_MS) + DAY_MS) % DAY_MS));
}

const orNull = (text: string | undefined): string | null => text ?? null;

function rowArrays(rows: readonly WaitingRow[], place: Place): unknown[] {
  return [
    rows.map((row) => row.id),
    rows.map((row) => place(row.atMs)),
    rows.map((row) => row.fingerprint),
    rows.map((row) => row.reason),
    rows.map((row) => row.kind),
    rows.map((row) => orNull(row.tenant)),
    rows.map((row) => orNull(row.caller)),
    rows.map((row) => orNull(row.tool)),
    rows.map((row) => orNull(row.upstream)),
    rows.map((row) => orNull(row.sample)),
    rows.map((row) => orNull(row.upstreamIncident)),
  ];
}

function classArrays(classes: readonly ClassFacts[], place: Place): unknown[] {
  const sorted = classes.toSorted((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
  return [
    sorted.map((one) => one.fingerprint),
    sorted.map((one) => one.reason),
    sorted.map((one) => one.kind),
    sorted.map((one) => orNull(one.tool)),
    sorted.map((one) => orNull(one.upstream)),
    sorted.map((one) => one.message),
    sorted.map((one) => orNull(one.caller)),
    sorted.map((one) => place(one.firstMs)),
    sorted.map((one) => place(one.lastMs)),
  ];
}

/** Counts by minute, by hour and by day, each once, in one order. */
function countArrays(tallies: readonly Tally[], place: Place): unknown[] {
  const sums = new Map<string, { width: number; bucket: number; fingerprint: string; n: number }>();
  const add = (width: number, bucket: number, { fingerprint, count }: Tally) => {
    const key = `${String(width).padStart(4, "0")} ${bucket} ${fingerprint}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { width, bucket, fingerprint, n: count });
    else sum.n += count;
  };
  for (const tally of tallies) {
    const hour = place(tally.hourMs);
    add(1_440, hour - (hour % DAY_MS), tally);
    add(60, hour, tally);
    if (tally.minuteMs !== undefined) add(1, place(tally.minuteMs), tally);
  }
  const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
  return [
    sorted.map((sum) => sum.width),
    sorted.map((sum) => sum.bucket),
    sorted.map((sum) => sum.fingerprint),
    sorted.map((sum) => sum.n),
  ];
}
