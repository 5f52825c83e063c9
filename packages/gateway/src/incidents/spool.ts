import { EFFECTS, type Effect } from "@recourse/core";
import { HOUR_MS, MINUTE_MS } from "./incidents.ts";
import { type IncidentRecord, OTHER_CLASS, otherFingerprint } from "./record.ts";
import { sampleJson } from "./sample.ts";

/** A row that waits to be written; its sample is JSON already. */
export type WaitingRow = Omit<IncidentRecord, "sample" | "about" | "at" | "isKept"> & { sample: string | undefined };

/** What is written in one transaction. */
export interface Batch {
  readonly rows: readonly WaitingRow[];
  readonly classes: readonly ClassFacts[];
  readonly tallies: readonly Tally[];
  readonly bytes: number;
}

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

/** Incidents that wait to be written. If they are too many, samples are given up first, then rows; counts are kept. */
export class Spool {
  readonly #limits: Required<SpoolLimits>;
  #rows: WaitingRow[] = [];
  #tallies: Tallies;
  #bytes = 0;
  /** Rows and bytes that were taken and are not yet written. */
  #taken: Batch | undefined;
  #dropped = 0;
  #droppedSamples = 0;

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

  /** Incidents that were kept without their sample. */
  get droppedSamples(): number {
    return this.#droppedSamples;
  }

  /** Whether another row can be kept. */
  get hasRoom(): boolean {
    const { maxRows, maxBytes } = this.#limits;
    return this.waiting < maxRows && this.bytes + ROW_BYTES <= maxBytes;
  }

  /** Counts an incident, and keeps its row. False if there is no room for it. */
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
    if (json !== undefined && !fits) this.#droppedSamples += 1;
    this.#bytes += ROW_BYTES + (fits ? json.length : 0);
    this.#rows.push({ ...row, sample: fits ? json : undefined });
    return true;
  }

  /** The batch under way, or a new one; undefined if nothing waits. */
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
    this.#droppedSamples += this.#taken.rows.filter(({ sample }) => sample !== undefined).length;
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

/** What describes all incidents of one fingerprint. */
export interface ClassFacts {
  readonly fingerprint: string;
  readonly reason: string;
  readonly kind: string;
  readonly tool: string | undefined;
  readonly upstream: string | undefined;
  readonly message: string;
  /** Whose incident the message is from, so that it can be erased with it. */
  readonly caller: string | undefined;
  /** The worst that was seen. */
  effect: Effect | undefined;
  firstMs: number;
  lastMs: number;
}

/** How often a fingerprint was seen in a minute, or in an hour if its minutes are too many. */
export interface Tally {
  readonly fingerprint: string;
  readonly hourMs: number;
  /** Undefined: only the hour is known. */
  readonly minuteMs: number | undefined;
  count: number;
  lastMs: number;
}

/**
 * Counts incidents until they are written. It never loses one, and stays bounded: it counts by minute up to a number of
 * entries, then only by hour, then only by upstream.
 */
export class Tallies {
  readonly classes = new Map<string, ClassFacts>();
  readonly #tallies = new Map<string, Tally>();
  readonly #max: number;

  /** @param max How many minutes of fingerprints are counted separately. */
  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#tallies.size;
  }

  /** All counts. */
  list(): readonly Tally[] {
    return [...this.#tallies.values()];
  }

  add({ fingerprint, atMs, about, upstream, caller, effect }: IncidentRecord): void {
    const times = { firstMs: atMs, lastMs: atMs };
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    if (this.#count({ fingerprint, hourMs, minuteMs }, atMs, this.#max)) {
      this.#describe({ fingerprint, ...about, upstream, caller, effect, ...times });
    } else if (this.#count({ fingerprint, hourMs, minuteMs: undefined }, atMs, 2 * this.#max)) {
      this.#describe({ fingerprint, ...about, upstream, caller, effect, ...times });
    } else {
      const other = otherFingerprint(upstream);
      this.#count({ fingerprint: other, hourMs, minuteMs: undefined }, atMs, Number.POSITIVE_INFINITY);
      this.#describe({ fingerprint: other, ...OTHER_CLASS, upstream, caller: undefined, effect, ...times });
    }
  }

  /** Counts one incident. False if that would be a new entry, and there are too many. */
  #count(of: Pick<Tally, "fingerprint" | "hourMs" | "minuteMs">, atMs: number, max: number): boolean {
    const key = `${of.fingerprint} ${of.minuteMs ?? `hour ${of.hourMs}`}`;
    const tally = this.#tallies.get(key);
    if (tally === undefined) {
      if (this.#tallies.size >= max) return false;
      this.#tallies.set(key, { ...of, count: 1, lastMs: atMs });
      return true;
    }
    tally.count += 1;
    tally.lastMs = Math.max(tally.lastMs, atMs);
    return true;
  }

  #describe(facts: ClassFacts): void {
    const known = this.classes.get(facts.fingerprint);
    if (known === undefined) {
      this.classes.set(facts.fingerprint, facts);
      return;
    }
    known.firstMs = Math.min(known.firstMs, facts.firstMs);
    known.lastMs = Math.max(known.lastMs, facts.lastMs);
    known.effect = worseKnownEffect(known.effect, facts.effect);
  }
}

/** How bad an effect is: the more was done, the higher. -1 for one that is not known. */
export function effectRank(effect: Effect | undefined): number {
  return effect === undefined ? -1 : EFFECTS.indexOf(effect);
}

export function worseKnownEffect(one: Effect | undefined, other: Effect | undefined): Effect | undefined {
  return effectRank(one) >= effectRank(other) ? one : other;
}
