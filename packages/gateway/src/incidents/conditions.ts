import { formsOfCaller } from "./caller-key.ts";
import { clean, MAX_NAME } from "./clean.ts";
import type { IncidentFilter } from "./incidents.ts";

/** Collects conditions of a statement and their values. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #parts: string[] = [];

  /** Adds a value, and gives the name that stands for it in the statement. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  add(condition: string): void {
    this.#parts.push(condition);
  }

  /** The conditions as SQL. */
  get sql(): string {
    return this.#parts.length === 0 ? "true" : this.#parts.join(" and ");
  }
}

/** Members of a filter that describe a fingerprint. */
const CLASS_MEMBERS = ["reason", "kind", "tool", "upstream"] as const satisfies readonly (keyof IncidentFilter)[];

/** Whether a filter asks for what only incidents know, and counts do not. */
export function needsRows({ tenant, caller }: IncidentFilter): boolean {
  return tenant !== undefined || caller !== undefined;
}

/** Adds what a filter says about fingerprints, for the table that `alias` names. */
export function addClassFilter(to: Conditions, filter: IncidentFilter, alias: string): void {
  if (filter.fingerprint !== undefined) to.add(`${alias}.fp = ${to.value(bytesOf(filter.fingerprint))}`);
  for (const member of CLASS_MEMBERS) {
    if (filter[member] !== undefined) to.add(`${alias}.${member} = ${to.value(clean(filter[member], MAX_NAME))}`);
  }
}

/** Adds what a filter says about incidents, for the table `incident` as `i`. */
export function addRowFilter(to: Conditions, filter: IncidentFilter): void {
  addClassFilter(to, filter, "i");
  if (filter.tenant !== undefined) to.add(`i.tenant = ${to.value(clean(filter.tenant, MAX_NAME))}`);
  if (filter.caller !== undefined) to.add(`i.caller = any(${to.value(formsOfCaller(filter.caller))})`);
  if (filter.since !== undefined) to.add(`i.at >= ${to.value(filter.since)}::timestamptz`);
  if (filter.until !== undefined) to.add(`i.at < ${to.value(filter.until)}::timestamptz`);
}

/** The bytes of a fingerprint; none for a text that is not one, which nothing agrees with. */
export function bytesOf(fingerprint: string): Buffer {
  return Buffer.from(fingerprint, "hex");
}
