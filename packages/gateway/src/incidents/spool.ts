import type { IncidentRecord } from "./record.ts";
import { sampleJson } from "./sample.ts";
import { type ClassFacts, Tallies, type Tally } from "./tallies.ts";

/** A row that waits to be written; its sample is JSON already. */
export type WaitingRow = Omit<IncidentRecord, "sample" | "about" | "at" | "isKept"> & { sample: string | undefined };

/** What is written in one transaction. */
export interface Batch {
  readonly rows: readonly WaitingRow[];
  readonly classes: readonly ClassFacts[];
  readonly tallies: readonly Tally[];
  readonly bytes: number;
}

/** Bounds of a spool. */
export interface SpoolLimits {
  /** @default 50_000 */
  readonly maxRows?: number;
  /** @default 64 MiB */
  readonly maxBytes?: number;
  /** @default 20_000 */
  readonly maxTallies?: number;
  /** Rows of one batch. @default 2_000 */
  readonly batchRows?: number;
}

/** About what a row takes beside its sample. */
const ROW_BYTES = 400;

/** Incidents that wait to be written. Where they are too many, samples are given up first, then rows; counts are kept. */
export class Spool {
  readonly #limits: Required<SpoolLimits>;
  #rows: WaitingRow[] = [];
  #tallies: Tallies;
  #bytes = 0;
  /** Rows and bytes that were taken and are not yet written. */
  #taken: Batch | undefined;
  #dropped = 0;

  constructor({
    maxRows = 50_000,
    maxBytes = 64 * 1_024 * 1_024,
    maxTallies = 20_000,
    batchRows = 2_000,
  }: SpoolLimits = {}) {
    this.#limits = { maxRows, maxBytes, maxTallies, batchRows };
    this.#tallies = new Tallies(maxTallies);
  }

  /** Rows that wait, those of the batch under way included. */
  get waiting(): number {
    return this.#rows.length + (this.#taken?.rows.length ?? 0);
  }

  /** Whether everything is written. */
  get isEmpty(): boolean {
    return this.#taken === undefined && this.#rows.length === 0 && this.#tallies.size === 0;
  }

  get bytes(): number {
    return this.#bytes + (this.#taken?.bytes ?? 0);
  }

  /** Incidents that were counted but not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Whether another row can be kept. */
  get hasRoom(): boolean {
    const { maxRows, maxBytes } = this.#limits;
    return this.waiting < maxRows && this.bytes + ROW_BYTES <= maxBytes;
  }

  /** Counts an incident, and keeps its row. False where there is no room for it. */
  add(record: IncidentRecord): boolean {
    this.#tallies.add(record);
    const { sample, about: _about, at: _at, isKept, ...row } = record;
    if (!isKept) return true;
    if (!this.hasRoom) {
      this.#dropped += 1;
      return false;
    }
    const { maxBytes } = this.#limits;
    const json = sample === undefined ? undefined : sampleJson(sample);
    const fits = json !== undefined && this.bytes + ROW_BYTES + json.length <= maxBytes - this.#reserved;
    this.#bytes += ROW_BYTES + (fits ? json.length : 0);
    this.#rows.push({ ...row, sample: fits ? json : undefined });
    return true;
  }

  /** The batch under way, or a new one; undefined where nothing waits. */
  take(): Batch | undefined {
    if (this.#taken !== undefined || this.isEmpty) return this.#taken;
    const rows = this.#rows.splice(0, this.#limits.batchRows);
    const bytes = rows.reduce((sum, row) => sum + ROW_BYTES + (row.sample?.length ?? 0), 0);
    this.#bytes -= bytes;
    this.#taken = { rows, bytes, classes: [...this.#tallies.classes.values()], tallies: this.#tallies.list() };
    this.#tallies = new Tallies(this.#limits.maxTallies);
    return this.#taken;
  }

  /** The batch under way is written. */
  written(): void {
    this.#taken = undefined;
  }

  /** The database refuses what the batch under way contains: at first its samples are given up. */
  giveUpSamples(): void {
    if (this.#taken === undefined) return;
    this.#taken = { ...this.#taken, rows: this.#taken.rows.map((row) => ({ ...row, sample: undefined })) };
  }

  /** The database refuses the texts of the batch under way: its rows are given up, its counts are not. Gives those rows. */
  giveUpRows(): readonly WaitingRow[] {
    if (this.#taken === undefined) return [];
    const { rows } = this.#taken;
    this.#dropped += rows.length;
    this.#taken = { ...this.#taken, rows: [], bytes: 0 };
    return rows;
  }

  /** Bytes that samples leave for rows, so that samples are given up first. */
  get #reserved(): number {
    return Math.min(this.#limits.maxBytes / 2, (this.#limits.maxRows - this.waiting) * ROW_BYTES);
  }
}
