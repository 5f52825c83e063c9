// Times and durations as people read them. The only place that formats them.
import { settings } from "../state/settings.ts";

const ONE_SECOND = 1_000;
const ONE_MINUTE = 60 * ONE_SECOND;
const ONE_HOUR = 60 * ONE_MINUTE;
const ONE_DAY = 24 * ONE_HOUR;

/** The time of day, such as `14:30:33`, in the chosen zone. */
export function clock(at: string | number, { seconds = true }: { readonly seconds?: boolean } = {}): string {
  if (!isTime(at)) return NO_TIME;
  return new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds && { second: "2-digit" }),
    ...zoneOption(),
  }).format(new Date(at));
}

/** The day, such as `16 Nov 2026`, in the chosen zone. */
export function day(at: string | number): string {
  if (!isTime(at)) return NO_TIME;
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", ...zoneOption() }).format(
    new Date(at),
  );
}

/** Day and time with the zone, such as `16 Nov 2026, 14:30:33 UTC`. */
export function fullTime(at: string | number): string {
  if (!isTime(at)) return NO_TIME;
  return `${day(at)}, ${clock(at)} ${zoneName()}`;
}

/** The zone in a word. */
export function zoneName(): string {
  return settings.value.zone === "utc" ? "UTC" : "local time";
}

/** How long ago, such as `3 s ago`. */
export function ago(at: string | number, nowMs: number): string {
  if (!isTime(at)) return NO_TIME;
  const ms = nowMs - new Date(at).getTime();
  return ms < ONE_SECOND ? "just now" : `${span(ms)} ago`;
}

/** A length of time in one unit, such as `13 min`. */
export function span(ms: number): string {
  if (ms < ONE_MINUTE) return `${Math.max(0, Math.floor(ms / ONE_SECOND))} s`;
  if (ms < ONE_HOUR) return `${Math.floor(ms / ONE_MINUTE)} min`;
  if (ms < 2 * ONE_DAY) return `${Math.floor(ms / ONE_HOUR)} h`;
  return `${Math.floor(ms / ONE_DAY)} d`;
}

/** What is left, such as `11 min 20 s`. */
export function left(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / ONE_SECOND));
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** A page with an odd time in it is still a page. */
const NO_TIME = "unknown time";

function isTime(at: string | number): boolean {
  return !Number.isNaN(new Date(at).getTime());
}

function zoneOption(): { readonly timeZone?: string } {
  return settings.value.zone === "utc" ? { timeZone: "UTC" } : {};
}
