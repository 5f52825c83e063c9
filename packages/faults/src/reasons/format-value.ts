import type { Param } from "../fault/fault.ts";

/** A value in quotation marks. Quotation marks inside it are replaced, so that it cannot end the quotation. */
export function inQuotes(param: Exclude<Param, null>): string {
  return `"${String(param).replaceAll('"', "'")}"`;
}

/** Units of time. Each is used from twice its length on, or where the time is a whole number of them. */
const TIME_UNITS = [
  { ms: 86_400_000, name: "day" },
  { ms: 3_600_000, name: "hour" },
  { ms: 60_000, name: "minute" },
  { ms: 1_000, name: "second" },
] as const;

/**
 * Milliseconds in a unit that people use: 90,000 is `90 seconds` and 120,000 is `2 minutes`. It is rounded up, since a wait
 * must not be shorter than it should be.
 */
export function formatDuration(ms: number): string {
  for (const { ms: unit, name } of TIME_UNITS) {
    if (ms < unit || (ms < 2 * unit && ms % unit !== 0 && unit !== 1_000)) continue;
    const units = ms / unit;
    const shown = units < 10 ? Math.ceil(units * 10) / 10 : Math.ceil(units);
    return shown === 1 ? `1 ${name}` : `${shown} ${name}s`;
  }
  return `${Math.ceil(ms)} ms`;
}
