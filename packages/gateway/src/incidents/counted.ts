import type { IncidentRecord } from "./record.ts";

const MINUTE_MS = 60_000;

/** Incidents that were counted together. */
export interface CountedRecord {
  /** The first of them, without what belongs to its call alone. */
  readonly record: IncidentRecord;
  readonly count: number;
}

/** Counts incidents that are not kept, by fingerprint and minute. The oldest counts are forgotten first. */
export class Counted {
  readonly #max: number;
  readonly #counts = new Map<string, { readonly record: IncidentRecord; count: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  get list(): readonly CountedRecord[] {
    return [...this.#counts.values()];
  }

  add(record: IncidentRecord): void {
    const key = `${record.fingerprint} ${Math.floor(record.atMs / MINUTE_MS)}`;
    const known = this.#counts.get(key);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const bare = { ...record, tenant: undefined, caller: undefined, upstreamIncident: undefined, sample: undefined };
    this.#counts.set(key, { record: bare, count: 1 });
    const oldest = this.#counts.keys().next();
    if (this.#counts.size > this.#max && oldest.done !== true) this.#counts.delete(oldest.value);
  }
}
