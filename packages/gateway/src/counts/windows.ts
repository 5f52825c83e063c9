import { MINUTE_MS } from "../incidents/incidents.ts";

/** The stretches of time that can be asked for, up to now, with the width of one count in minutes. */
const WINDOWS = {
  "15m": { step: "minute", width: 1, length: 15 },
  "1h": { step: "minute", width: 1, length: 60 },
  "24h": { step: "hour", width: 60, length: 24 },
  "7d": { step: "hour", width: 60, length: 7 * 24 },
  "30d": { step: "day", width: 1_440, length: 30 },
} as const;

/** The name of a stretch of time. */
export type WindowName = keyof typeof WINDOWS;

/** A stretch of time in whole steps; the last one is under way. */
export interface CountWindow {
  readonly step: "minute" | "hour" | "day";
  /** How wide a step is, in minutes. */
  readonly width: 1 | 60 | 1_440;
  readonly stepMs: number;
  /** How many steps there are. */
  readonly length: number;
  /** In ms since 1970. */
  readonly sinceMs: number;
  /** When the last step ends. */
  readonly untilMs: number;
  /** The present time, which is in the last step. */
  readonly nowMs: number;
}

/** The steps up to now. */
export function windowUntil(name: WindowName, nowMs: number): CountWindow {
  const { step, width, length } = WINDOWS[name];
  const stepMs = width * MINUTE_MS;
  const untilMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
  return { step, width, stepMs, length, sinceMs: untilMs - length * stepMs, untilMs, nowMs };
}

/** The same length of time before a window. */
export function windowBefore(window: CountWindow): CountWindow {
  const { stepMs, length, sinceMs } = window;
  return { ...window, sinceMs: sinceMs - length * stepMs, untilMs: sinceMs, nowMs: sinceMs };
}

/** The number of the step that a time is in; undefined if it is in none. */
export function stepOf({ sinceMs, stepMs, length }: CountWindow, ms: number): number | undefined {
  const index = Math.floor((ms - sinceMs) / stepMs);
  return index >= 0 && index < length ? index : undefined;
}

/** A time as ISO 8601. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
