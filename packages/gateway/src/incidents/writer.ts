import { race, sleep } from "@recourse/faults/internal-do-not-use";
import { isDataError } from "@recourse/stores/postgres";
import { writeBatch } from "./flush.ts";
import type { IncidentPool } from "./pool.ts";
import type { IncidentRecord } from "./record.ts";
import { Spool, type SpoolLimits } from "./spool.ts";

/** Options of an `IncidentWriter`. */
export interface WriterOptions extends SpoolLimits {
  readonly pool: IncidentPool;
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
    const connection = await pool.connect();
    let isDone = false;
    try {
      const delivery = { replica, seq: this.#seq, batch, keepMs, days: this.#days };
      const outcome = await race(writeBatch(connection, delivery), { ms: timeoutMs, sleep });
      // It may still be written: the database then knows its number when it comes again.
      if (typeof outcome === "symbol") throw new Error("no answer in time");
      isDone = true;
    } finally {
      connection.release(!isDone);
    }
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
