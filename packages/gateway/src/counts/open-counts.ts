import { randomUUID } from "node:crypto";
import { race, sleep } from "@recourse/core/wire";
import type { Observer } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import { HOUR_MS, type IncidentReader } from "../incidents/incidents.ts";
import { storedCallerForms } from "../incidents/sample.ts";
import { withConnection } from "../incidents/tables.ts";
import type { Stores } from "../stores/open-stores.ts";
import type { Pool } from "../stores/postgres.ts";
import { createCountTables, deleteOldCounts, writeCounts } from "./count-tables.ts";
import type { CountReader, GatewayCounts } from "./counts.ts";
import { postgresTotals, readerTotals } from "./incident-totals.ts";
import { MemoryCounts } from "./memory-count-source.ts";
import { postgresCountSource } from "./postgres-count-source.ts";
import { createCountReader } from "./read-counts.ts";
import { CallTally } from "./tally.ts";
import { WaitingCounts } from "./waiting-counts.ts";

/** What counting needs before the stores are open. */
interface TallyParts {
  readonly now: () => number;
  readonly monotonic: () => number;
}

/** Calls that are counted, and wait to be written. */
export interface WaitingTally {
  readonly tally: CallTally;
  readonly waiting: WaitingCounts;
}

/** Begins to count; the counts wait until `openCounts` writes them. */
export function startTally({ incidents }: Pick<GatewayConfig, "incidents">, parts: TallyParts): WaitingTally {
  const waiting = new WaitingCounts();
  return { waiting, tally: new CallTally({ ...parts, callers: incidents.callers, waiting }) };
}

interface CountsOptions extends WaitingTally {
  readonly stores: Stores;
  /** Reads the incidents of the same store. */
  readonly reader: IncidentReader;
  /** How long incidents are kept: their callers are counted no longer than that. */
  readonly keepMs: number;
  readonly observer: Pick<Observer, "log">;
}

/** Opens the counts of calls and callers. It rejects if their tables cannot be made. */
export async function openCounts({ stores, ...options }: CountsOptions): Promise<GatewayCounts> {
  return stores.mode === "memory" ? memoryCounts(options) : postgresCounts({ ...options, pool: stores.pool });
}

/** Keeps counts in this process. */
export function memoryCounts({ tally, waiting, reader }: WaitingTally & Pick<CountsOptions, "reader">): GatewayCounts {
  const source = new MemoryCounts();
  const move = () => {
    tally.move();
    const batch = waiting.take();
    if (batch !== undefined) source.add(batch);
    waiting.written();
  };
  const timer = setInterval(move, WRITE_EVERY_MS);
  timer.unref();
  return {
    reader: movedFirst(createCountReader(source), move),
    incidents: readerTotals(reader),
    async erase(caller) {
      const forms = storedCallerForms(caller);
      tally.erase(forms);
      source.erase(forms);
    },
    async close() {
      clearInterval(timer);
    },
  };
}

/** A reader that sees what was counted a moment ago. */
function movedFirst(reader: CountReader, move: () => void): CountReader {
  const first =
    <Args extends readonly unknown[], T>(read: (...args: Args) => T) =>
    (...args: Args): T => {
      move();
      return read(...args);
    };
  return {
    totals: first(reader.totals),
    rates: first(reader.rates),
    callers: first(reader.callers),
    hits: first(reader.hits),
    bothHits: first(reader.bothHits),
    refusals: first(reader.refusals),
    recent: first(reader.recent),
  };
}

const WRITE_EVERY_MS = 1_000;
/** How long one transaction may take, and the last one. */
const BOUND = { withinMs: 5_000 };
const LAST_WRITE_MS = 2_000;

interface PostgresCountsOptions extends Omit<CountsOptions, "stores"> {
  readonly pool: Pool;
  /** @default 1_000 */
  readonly everyMs?: number;
}

/** Keeps counts in PostgreSQL. It rejects if the tables cannot be made. */
export async function postgresCounts({
  pool,
  tally,
  waiting,
  reader,
  keepMs,
  observer,
  everyMs = WRITE_EVERY_MS,
}: PostgresCountsOptions): Promise<GatewayCounts> {
  await createCountTables(pool);
  const replica = randomUUID();
  let seq = 1;
  let running: Promise<void> | undefined;
  const write = async () => {
    tally.move();
    const batch = waiting.take();
    if (batch === undefined) return;
    await withConnection(pool, (connection) => writeCounts(connection, { replica, seq, batch }), BOUND);
    waiting.written();
    seq += 1;
  };
  // What fails is written with the next counts. The incidents, in the same database, report that it is down.
  const flush = (): Promise<void> => {
    running ??= write()
      .catch(() => {})
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const clear = () =>
    withConnection(pool, (connection) => deleteOldCounts(connection, keepMs), BOUND).catch(() =>
      observer.log("warn", "Old counts could not be deleted; it is tried again."),
    );
  await clear();
  const timer = setInterval(() => void flush(), everyMs);
  const cleaner = setInterval(() => void clear(), HOUR_MS);
  timer.unref();
  cleaner.unref();
  return {
    reader: createCountReader(postgresCountSource(pool)),
    incidents: postgresTotals(pool, reader),
    async erase(caller) {
      const forms = storedCallerForms(caller);
      tally.erase(forms);
      // A batch under way may hold the caller.
      await running;
      await pool.query({ text: "delete from caller_count where caller = any($1)", values: [forms] });
    },
    async close() {
      clearInterval(timer);
      clearInterval(cleaner);
      const last = (async () => {
        await running;
        await flush();
      })();
      await race(last, { ms: LAST_WRITE_MS, sleep });
    },
  };
}
