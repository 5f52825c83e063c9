import type { Effect } from "@recourse/core";
import { race, sleep } from "@recourse/core/wire";
import { isDataError } from "@recourse/stores/postgres";
import type { Pool, PoolClient } from "../stores/postgres.ts";
import { DAY_MS } from "./incidents.ts";
import type { IncidentRecord } from "./record.ts";
import {
  type Batch,
  type ClassFacts,
  effectRank,
  Spool,
  type SpoolLimits,
  type Tally,
  type WaitingRow,
} from "./spool.ts";
import { databaseNow, dayNumber, daysAround, inTransaction, makePartitions, withConnection } from "./tables.ts";

export interface WriterOptions extends SpoolLimits {
  readonly pool: Pool;
  /** A name of this process that no other has. */
  readonly replica: string;
  readonly keepMs: number;
  readonly onSwitch: (state: "away" | "back") => void;
  /** The database refuses what a batch contains. */
  readonly onRefused?: (code: string) => void;
  /** Rows that are counted but not kept: there is no room for them, or the database refuses them. */
  readonly onDropped?: (rows: readonly Pick<IncidentRecord, "id" | "fingerprint">[]) => void;
  /** How long incidents wait. @default 250 */
  readonly everyMs?: number;
  /** As many do not wait. @default 1_000 */
  readonly rows?: number;
  /** How long one flush may take. @default 5_000 */
  readonly timeoutMs?: number;
  /** How long the last flushes may take. @default 2_000 */
  readonly closeMs?: number;
}

/** There is no partition for a row: it was dropped meanwhile. */
const NO_PARTITION = "23514";

/** Writes incidents to PostgreSQL in batches. Adding one never waits. */
export class IncidentWriter {
  readonly #options: Required<WriterOptions>;
  readonly #spool: Spool;
  readonly #days = new Set<number>();
  #seq = 1;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isAway = false;
  #isClosed = false;
  #refusals = 0;

  constructor({
    everyMs = 250,
    rows = 1_000,
    timeoutMs = 5_000,
    closeMs = 2_000,
    onRefused = () => {},
    onDropped = () => {},
    maxRows = 50_000,
    maxBytes = 64 * 1_024 * 1_024,
    maxTallies = 20_000,
    batchRows = 2_000,
    ...options
  }: WriterOptions) {
    const limits = { maxRows, maxBytes, maxTallies, batchRows };
    this.#options = { ...options, everyMs, rows, timeoutMs, closeMs, onRefused, onDropped, ...limits };
    this.#spool = new Spool(limits);
  }

  get waiting(): number {
    return this.#spool.waiting;
  }

  get dropped(): number {
    return this.#spool.dropped;
  }

  get droppedSamples(): number {
    return this.#spool.droppedSamples;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Whether another row can be kept. */
  get hasRoom(): boolean {
    return this.#spool.hasRoom;
  }

  add(record: IncidentRecord): void {
    if (!this.#spool.add(record)) this.#options.onDropped([record]);
    const isFull = this.#spool.waiting >= this.#options.rows && !this.#isAway;
    if (isFull && this.#running === undefined) void this.#flush();
    else this.#schedule();
  }

  /** Writes what waits, within a bound. Gives the number of incidents that were not written. */
  async close(): Promise<number> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const ending = new AbortController();
    await race(this.#writeAll(ending.signal), { ms: this.#options.closeMs, sleep });
    ending.abort();
    return this.#spool.waiting;
  }

  async #writeAll(signal: AbortSignal): Promise<void> {
    await this.#running;
    while (!this.#spool.isEmpty && !signal.aborted) {
      await this.#flush();
      if (this.#isAway) await sleep(this.#options.everyMs / 2, signal).catch(() => {});
    }
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#running !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#flush(), this.#options.everyMs);
    this.#timer.unref();
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#writeWaiting().finally(() => {
      this.#running = undefined;
      if (!this.#spool.isEmpty) this.#schedule();
    });
    return this.#running;
  }

  async #writeWaiting(): Promise<void> {
    do {
      try {
        const batch = this.#spool.take();
        if (batch === undefined) return;
        await this.#write(batch);
      } catch (error) {
        this.#failed(error);
        return;
      }
      this.#spool.written();
      this.#seq += 1;
      this.#refusals = 0;
      if (this.#isAway) this.#options.onSwitch("back");
      this.#isAway = false;
    } while (this.#spool.waiting >= this.#options.rows);
  }

  async #write(batch: Parameters<typeof writeBatch>[1]["batch"]): Promise<void> {
    const { pool, replica, keepMs, timeoutMs } = this.#options;
    const delivery = { replica, seq: this.#seq, batch, keepMs, days: this.#days };
    // After that time it may still be written: the database then knows its number when it comes again.
    await withConnection(pool, (connection) => writeBatch(connection, delivery), { withinMs: timeoutMs });
  }

  #failed(error: unknown): void {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === NO_PARTITION) this.#days.clear();
    else if (isDataError(error)) {
      this.#refusals += 1;
      if (this.#refusals === 1) this.#spool.giveUpSamples();
      else this.#options.onDropped(this.#spool.giveUpRows());
      this.#options.onRefused(code);
    }
    if (this.#isAway || isDataError(error)) return;
    this.#isAway = true;
    this.#options.onSwitch("away");
  }
}

/** One batch, with the name under which the database remembers that it has it. */
interface Delivery {
  readonly replica: string;
  readonly seq: number;
  readonly batch: Batch;
  readonly keepMs: number;
  /** Days whose partitions are known to be there. */
  readonly days: Set<number>;
}

/** Writes a batch, or nothing if the database has it already: a commit whose answer was lost is safely repeated. */
export async function writeBatch(
  connection: PoolClient,
  { replica, seq, batch, keepMs, days }: Delivery,
): Promise<void> {
  const placed = await placeIn(connection, batch, keepMs, days);
  await inTransaction(connection, async () => {
    const { rowCount } = await connection.query({ text: INSERT_INGEST, values: [replica, seq] });
    if (rowCount === 0) return;
    if (batch.rows.length > 0) await connection.query({ text: INSERT_ROWS, values: rowArrays(batch.rows, placed) });
    // In one order on all replicas, so that they never wait for each other in a circle.
    await connection.query({ text: UPSERT_CLASSES, values: classArrays(batch, placed) });
    await connection.query({ text: UPSERT_COUNTS, values: countArrays(batch.tallies, placed) });
  });
}

const INSERT_INGEST = `insert into incident_ingest as known (replica, seq) values ($1, $2)
  on conflict (replica) do update set seq = excluded.seq, at = clock_timestamp() where known.seq < excluded.seq`;

const INSERT_ROWS = `insert into incident (id, at, fp, reason, kind, tenant, caller, tool, upstream, sample,
    upstream_incident, effect, trace)
  select id, to_timestamp(at / 1000), decode(fp, 'hex'), reason, kind, tenant, caller, tool, upstream, sample::jsonb,
    upstream_incident, effect, trace
  from unnest($1::text[], $2::float8[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::smallint[], $13::text[])
    as row (id, at, fp, reason, kind, tenant, caller, tool, upstream, sample, upstream_incident, effect, trace)`;

const UPSERT_CLASSES = `insert into incident_class as known
    (fp, reason, kind, tool, upstream, message, caller, first_seen, last_seen, effect, sample_id, sample_at)
  select decode(fp, 'hex'), reason, kind, tool, upstream, message, caller, to_timestamp(first / 1000),
    to_timestamp(last / 1000), effect, sample_id, to_timestamp(sample_at / 1000)
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[],
    $9::float8[], $10::smallint[], $11::text[], $12::float8[])
    as row (fp, reason, kind, tool, upstream, message, caller, first, last, effect, sample_id, sample_at)
  on conflict (fp) do update set first_seen = least(known.first_seen, excluded.first_seen),
    last_seen = greatest(known.last_seen, excluded.last_seen),
    message = case when known.message = '' then excluded.message else known.message end,
    caller = case when known.message = '' then excluded.caller else known.caller end,
    effect = greatest(known.effect, excluded.effect),
    sample_id = case when excluded.sample_at >= coalesce(known.sample_at, '-infinity') then excluded.sample_id
      else known.sample_id end,
    sample_at = greatest(known.sample_at, excluded.sample_at)`;

const UPSERT_COUNTS = `insert into incident_count as known (width, bucket, fp, n)
  select width, to_timestamp(bucket / 1000), decode(fp, 'hex'), n
  from unnest($1::smallint[], $2::float8[], $3::text[], $4::bigint[]) as row (width, bucket, fp, n)
  on conflict (width, bucket, fp) do update set n = known.n + excluded.n`;

/** Where an incident is kept, in ms since 1970. */
type PlaceTime = (atMs: number) => number;

/**
 * Makes the partitions that a batch needs. A time that is too old, or days ahead, is the time of a wrong clock: there the
 * time of the database counts.
 */
async function placeIn(connection: PoolClient, batch: Batch, keepMs: number, known: Set<number>): Promise<PlaceTime> {
  const needed = new Set([
    ...batch.rows.map(({ atMs }) => dayNumber(atMs)),
    ...batch.tallies.map((one) => dayNumber(one.lastMs)),
  ]);
  const missing = [...needed].filter((day) => !known.has(day));
  if (missing.length === 0) return (atMs) => atMs;
  const now = await databaseNow(connection);
  const around = daysAround(now);
  const isPossible = (day: number) => day >= dayNumber(now - keepMs) && day <= (around.at(-1) ?? 0);
  const days = [...new Set([...around, ...missing.filter(isPossible)])];
  await makePartitions(connection, days);
  for (const day of days) known.add(day);
  return (atMs) => (isPossible(dayNumber(atMs)) ? atMs : now - (now % DAY_MS) + (((atMs % DAY_MS) + DAY_MS) % DAY_MS));
}

const orNull = (text: string | undefined): string | null => text ?? null;
const effectOrNull = (effect: Effect | undefined): number | null => (effect === undefined ? null : effectRank(effect));

function rowArrays(rows: readonly WaitingRow[], place: PlaceTime): unknown[] {
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
    rows.map((row) => effectOrNull(row.effect)),
    rows.map((row) => orNull(row.trace)),
  ];
}

/**
 * The fingerprints of a batch, each once. Rows may be written after the counts that they belong to, so those with a sample are
 * here too: theirs may be the newest.
 */
function classArrays({ classes, rows }: Pick<Batch, "classes" | "rows">, place: PlaceTime): unknown[] {
  const samples = new Map<string, WaitingRow>();
  for (const row of rows) {
    const known = samples.get(row.fingerprint);
    if (row.sample !== undefined && (known === undefined || known.atMs <= row.atMs)) samples.set(row.fingerprint, row);
  }
  const all = new Map<string, ClassFacts>(classes.map((one) => [one.fingerprint, one]));
  for (const [fingerprint, row] of samples) {
    if (!all.has(fingerprint)) all.set(fingerprint, { ...row, message: "", firstMs: row.atMs, lastMs: row.atMs });
  }
  const sorted = [...all.values()].toSorted((one, other) => (one.fingerprint < other.fingerprint ? -1 : 1));
  const sampleOf = ({ fingerprint }: ClassFacts) => samples.get(fingerprint);
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
    sorted.map((one) => effectOrNull(one.effect)),
    sorted.map((one) => orNull(sampleOf(one)?.id)),
    sorted.map((one) => {
      const sample = sampleOf(one);
      return sample === undefined ? null : place(sample.atMs);
    }),
  ];
}

/** Counts by minute, by hour and by day, each once, in one order. */
function countArrays(tallies: readonly Tally[], place: PlaceTime): unknown[] {
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
