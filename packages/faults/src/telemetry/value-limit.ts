import type { OtelAttributes } from "./otel-api.ts";

/** The most different values of one attribute. */
const MAX_VALUES = 500;
/** What OpenTelemetry calls a value that is not one of the known ones. */
const OTHER = "_OTHER";

/**
 * Limits how many values each attribute of a metric has: every combination is a time series. Callers choose the names of
 * tools where a server does not check them, and servers choose codes.
 */
export class ValueLimit {
  readonly #seen = new Map<string, Set<string | number>>();

  /** The attributes, with values beyond the limit replaced. */
  apply(attributes: OtelAttributes): OtelAttributes {
    return Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, this.#isAdmitted(key, value) ? value : OTHER]),
    );
  }

  #isAdmitted(key: string, value: string | number): boolean {
    const seen = this.#seen.get(key) ?? new Set();
    this.#seen.set(key, seen);
    if (seen.size < MAX_VALUES) seen.add(value);
    return seen.has(value);
  }
}
