import { MINUTES_KEPT_MS } from "./days.ts";
import type { IncidentFilter } from "./incidents.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** A stretch of time that counts of one width cover, in ms since 1970. */
export interface CountRange {
  /** In minutes. */
  readonly width: 1 | 60 | 1_440;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** In minutes, the largest first. */
const WIDTHS = [1_440, 60, 1] as const satisfies readonly CountRange["width"][];

/**
 * Which counts cover the time of a filter: whole days, and hours and minutes at both ends. Where minutes are no longer kept,
 * the whole hour counts.
 */
export function countRanges({ since, until }: IncidentFilter, nowMs: number): readonly CountRange[] {
  const minutesFrom = nowMs - MINUTES_KEPT_MS + HOUR_MS;
  const start = floorTo(since === undefined ? 0 : Date.parse(since), MINUTE_MS);
  const end = ceilTo(until === undefined ? nowMs + HOUR_MS : Date.parse(until), MINUTE_MS);
  const fromMs = start < minutesFrom ? floorTo(start, HOUR_MS) : start;
  const untilMs = end < minutesFrom || until === undefined ? ceilTo(end, HOUR_MS) : end;
  return inWidths(fromMs, untilMs, WIDTHS);
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
