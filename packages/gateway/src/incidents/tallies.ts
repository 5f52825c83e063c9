import { otherFingerprint } from "./fingerprint.ts";
import { OTHER } from "./fingerprint-cap.ts";
import type { IncidentRecord } from "./record.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

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
  firstMs: number;
  lastMs: number;
}

/** How often a fingerprint was seen in a minute, or in an hour where its minutes are too many. */
export interface Tally {
  readonly fingerprint: string;
  readonly hourMs: number;
  /** Undefined: only the hour is known. */
  readonly minuteMs: number | undefined;
  count: number;
  lastMs: number;
}

/**
 * Counts incidents until they are written. It never loses one, and stays bounded: minutes are told apart up to a number of
 * entries, then only hours, then only upstreams.
 */
export class Tallies {
  readonly classes = new Map<string, ClassFacts>();
  readonly #tallies = new Map<string, Tally>();
  readonly #max: number;

  /** @param max How many minutes of fingerprints are told apart. */
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

  add({ fingerprint, atMs, about, upstream, caller }: IncidentRecord): void {
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
    if (this.#count({ fingerprint, hourMs, minuteMs }, atMs, this.#max)) {
      this.#describe({ fingerprint, ...about, upstream, caller, firstMs: atMs, lastMs: atMs });
    } else if (this.#count({ fingerprint, hourMs, minuteMs: undefined }, atMs, 2 * this.#max)) {
      this.#describe({ fingerprint, ...about, upstream, caller, firstMs: atMs, lastMs: atMs });
    } else {
      const other = otherFingerprint(upstream);
      this.#count({ fingerprint: other, hourMs, minuteMs: undefined }, atMs, Number.POSITIVE_INFINITY);
      this.#describe({ fingerprint: other, ...OTHER, upstream, caller: undefined, firstMs: atMs, lastMs: atMs });
    }
  }

  /** Counts one incident. False where that would be a new entry, and there are too many. */
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
  }
}
