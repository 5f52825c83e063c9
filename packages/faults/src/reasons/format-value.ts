import type { Param } from "../fault/fault.ts";

/** A value in quotation marks. Quotation marks inside it are replaced, so that it cannot end the quotation. */
export function inQuotes(param: Exclude<Param, null>): string {
  return `"${String(param).replaceAll('"', "'")}"`;
}

const TIME_UNITS = [
  { ms: 86_400_000, name: "d" },
  { ms: 3_600_000, name: "h" },
  { ms: 60_000, name: "min" },
  { ms: 1_000, name: "s" },
] as const;

/** Milliseconds in the largest unit that fits: 90,000 is `90 s` and 120,000 is `2 min`. */
export function formatDuration(ms: number): string {
  for (const unit of TIME_UNITS) {
    if (ms >= unit.ms && (ms % unit.ms === 0 || unit.ms === 1_000))
      return `${Math.round(ms / (unit.ms / 10)) / 10} ${unit.name}`;
  }
  return `${Math.round(ms)} ms`;
}
