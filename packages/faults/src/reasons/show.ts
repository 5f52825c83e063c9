import type { Param } from "../fault/fault.ts";

/** How a text stands in a sentence: in quotation marks that it cannot close. */
export function quoted(param: Exclude<Param, null>): string {
  return `"${String(param).replaceAll('"', "'")}"`;
}

const UNITS = [
  { ms: 86_400_000, name: "d" },
  { ms: 3_600_000, name: "h" },
  { ms: 60_000, name: "min" },
  { ms: 1_000, name: "s" },
] as const;

/** Milliseconds in the largest unit that keeps at most one decimal: 90,000 → `90 s`, 120,000 → `2 min`. */
export function showDuration(ms: number): string {
  for (const unit of UNITS) {
    if (ms >= unit.ms && (ms % unit.ms === 0 || unit.ms === 1_000))
      return `${Math.round(ms / (unit.ms / 10)) / 10} ${unit.name}`;
  }
  return `${Math.round(ms)} ms`;
}
