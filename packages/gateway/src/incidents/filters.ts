import { HOUR_MS, type IncidentFilter, MINUTE_MS } from "./incidents.ts";
import { clean, MAX_NAME, storedCallerForms } from "./sample.ts";
import { MINUTES_KEPT_MS } from "./tables.ts";

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

  get sql(): string {
    return this.#parts.length === 0 ? "true" : this.#parts.join(" and ");
  }
}

const CLASS_MEMBERS = ["reason", "kind", "tool", "upstream"] as const satisfies readonly (keyof IncidentFilter)[];

/** Whether a filter asks for what only incidents know, and counts do not. */
export function needsRows({ tenant, caller, id, trace }: IncidentFilter): boolean {
  return [tenant, caller, id, trace].some((member) => member !== undefined);
}

/** Adds what a filter says about fingerprints, for the table that `alias` names. */
export function addClassFilter(to: Conditions, filter: IncidentFilter, alias: string): void {
  if (filter.fingerprint !== undefined) to.add(`${alias}.fp = ${to.value(fingerprintBytes(filter.fingerprint))}`);
  for (const member of CLASS_MEMBERS) {
    if (filter[member] !== undefined) to.add(`${alias}.${member} = ${to.value(clean(filter[member], MAX_NAME))}`);
  }
}

/** Adds what a filter says about incidents, for the table `incident` as `i`. */
export function addRowFilter(to: Conditions, filter: IncidentFilter): void {
  addClassFilter(to, filter, "i");
  if (filter.tenant !== undefined) to.add(`i.tenant = ${to.value(clean(filter.tenant, MAX_NAME))}`);
  if (filter.id !== undefined) to.add(`i.id = ${to.value(filter.id)}`);
  if (filter.trace !== undefined) to.add(`i.trace = ${to.value(filter.trace)}`);
  if (filter.caller !== undefined) to.add(`i.caller = any(${to.value(storedCallerForms(filter.caller))})`);
  if (filter.since !== undefined) to.add(`i.at >= ${to.value(filter.since)}::timestamptz`);
  if (filter.until !== undefined) to.add(`i.at < ${to.value(filter.until)}::timestamptz`);
}

/** The bytes of a fingerprint; none for a text that is not one, which nothing agrees with. */
export function fingerprintBytes(fingerprint: string): Buffer {
  return Buffer.from(fingerprint, "hex");
}

/** A stretch of time that counts of one width cover, in ms since 1970. */
interface CountRange {
  /** In minutes. */
  readonly width: 1 | 60 | 1_440;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** In minutes, the largest first. */
const COUNT_WIDTHS = [1_440, 60, 1] as const satisfies readonly CountRange["width"][];

/**
 * Which counts cover the time of a filter: whole days, and hours and minutes at both ends. If minutes are no longer
 * kept, the whole hour counts.
 */
export function countRanges({ since, until }: IncidentFilter, nowMs: number): readonly CountRange[] {
  const minutesFrom = nowMs - MINUTES_KEPT_MS + HOUR_MS;
  const start = floorTo(since === undefined ? 0 : Date.parse(since), MINUTE_MS);
  const end = ceilTo(until === undefined ? nowMs + HOUR_MS : Date.parse(until), MINUTE_MS);
  const fromMs = start < minutesFrom ? floorTo(start, HOUR_MS) : start;
  const untilMs = end < minutesFrom || until === undefined ? ceilTo(end, HOUR_MS) : end;
  return inWidths(fromMs, untilMs, COUNT_WIDTHS);
}

/** Whole stretches of the largest width, and smaller ones at both ends. */
function inWidths(
  fromMs: number,
  untilMs: number,
  [largest, ...smaller]: readonly CountRange["width"][],
): CountRange[] {
  if (largest === undefined || fromMs >= untilMs) return [];
  const first = ceilTo(fromMs, largest * MINUTE_MS);
  const last = floorTo(untilMs, largest * MINUTE_MS);
  if (last <= first) return inWidths(fromMs, untilMs, smaller);
  return [
    ...inWidths(fromMs, first, smaller),
    { width: largest, fromMs: first, untilMs: last },
    ...inWidths(last, untilMs, smaller),
  ];
}

function floorTo(ms: number, step: number): number {
  return Math.floor(ms / step) * step;
}

function ceilTo(ms: number, step: number): number {
  return Math.ceil(ms / step) * step;
}
