import type { Rate } from "./types.ts";

const MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const BYTES = { B: 1, KiB: 1_024, MiB: 1_048_576, GiB: 1_073_741_824 } as const;
const SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/** `15m` in milliseconds. The text has passed the schema. */
export function durationMs(text: string): number {
  return Math.round(amount(text, MS));
}

/** `4MiB` in bytes. */
export function bytes(text: string): number {
  return amount(text, BYTES);
}

/** `20/s`, or the same with a burst. Without one the burst is what the rate gives in a second, at least 1. */
export function rateOf(raw: string | { readonly rate?: string; readonly burst?: number }): Rate {
  const { rate = "", burst } = typeof raw === "string" ? { rate: raw } : raw;
  const [number = "", unit = "s"] = rate.split("/");
  const perSecond = Number(number) / SECONDS[unit as keyof typeof SECONDS];
  return { perSecond, burst: burst ?? Math.max(1, Math.ceil(perSecond)) };
}

function amount(text: string, units: Readonly<Record<string, number>>): number {
  const [, number = "", unit = ""] = /^([\d.]+)(.*)$/.exec(text) ?? [];
  return Number(number) * (units[unit] ?? Number.NaN);
}
