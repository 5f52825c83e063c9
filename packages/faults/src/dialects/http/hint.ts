import { memberAt, numberAt, objectAt, stringAt } from "../wire.ts";
import { googleDetail } from "./codes.ts";
import { readDate } from "./dates.ts";
import { type Item, readItems } from "./fields.ts";

/** What waits are read from. */
export interface HintSource {
  readonly status: number;
  readonly body: unknown;
  /** The time that dates are relative to. */
  readonly now: number | undefined;
  /** The first value of a header. */
  header(name: string): string | undefined;
  /** All values of a header as one list. */
  list(name: string): string | undefined;
}

/** A wait, and whether it was given outright or follows from a limit. */
export interface Hint {
  readonly ms: number;
  readonly outright: boolean;
}

interface Reader {
  readonly says: string;
  readonly outright: boolean;
  read(source: HintSource): number | undefined;
}

/** Where a wait may stand; the first that can be read counts. */
export const HINTS: readonly Reader[] = [
  { says: "`Retry-After-Ms`", outright: true, read: (from) => number(from.header("retry-after-ms")) },
  {
    says: "`Retry-After`, seconds",
    outright: true,
    read: (from) => times(number(from.header("retry-after")), 1_000),
  },
  {
    says: "`Retry-After`, a date in one of the three forms",
    outright: true,
    read: (from) => minus(readDate(from.header("retry-after"), from.now), from.now),
  },
  { says: "`RetryInfo.retryDelay` of a google.rpc body", outright: true, read: (from) => retryDelay(from.body) },
  { says: "member `retry_after_ms`", outright: true, read: (from) => member(from.body, "retry_after_ms") },
  {
    says: "member `retry_after`, seconds",
    outright: true,
    read: (from) => times(member(from.body, "retry_after"), 1_000),
  },
  {
    says: "`RateLimit` with nothing left",
    outright: false,
    read: (from) => exhausted(readItems(from.list("ratelimit"))),
  },
  { says: "`RateLimit-Reset`, seconds", outright: false, read: rateLimitReset },
  { says: "`X-RateLimit-Reset`, by its magnitude", outright: false, read: xRateLimitReset },
];

/** The wait that a reply names; what lies in the past is no wait. */
export function hintOf(source: HintSource): Hint | undefined {
  for (const { outright, read } of HINTS) {
    const ms = read(source);
    if (ms !== undefined) return { ms: Math.max(0, Math.ceil(ms)), outright };
  }
  return undefined;
}

/** A plain decimal number: no sign, no exponent, no date that happens to begin with digits. */
export function number(text: string | undefined): number | undefined {
  return text !== undefined && text.length <= 64 && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** Scaled without the noise of binary fractions, which rounding up would turn into a millisecond. */
function times(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : Number((value * factor).toFixed(6));
}

function minus(value: number | undefined, from: number | undefined): number | undefined {
  return value === undefined || from === undefined ? undefined : value - from;
}

function member(body: unknown, name: string): number | undefined {
  for (const holder of [body, objectAt(body, "error"), objectAt(body, "parameters")]) {
    const value = numberAt(holder, name) ?? number(stringAt(holder, name));
    if (value !== undefined && value >= 0) return value;
  }
  return undefined;
}

function retryDelay(body: unknown): number | undefined {
  const delay = memberAt(googleDetail(body, "RetryInfo"), "retryDelay");
  if (typeof delay === "string") return delay.endsWith("s") ? times(number(delay.slice(0, -1)), 1_000) : undefined;
  const seconds = numberAt(delay, "seconds") ?? number(stringAt(delay, "seconds"));
  const nanos = numberAt(delay, "nanos") ?? 0;
  return seconds === undefined ? undefined : seconds * 1_000 + nanos / 1_000_000;
}

/** The longest wait of the limits that are used up, in the current form or in the dictionary of older drafts. */
function exhausted(items: readonly Item[]): number | undefined {
  const waits = items.filter(({ params }) => params["r"] === 0).map(({ params }) => params["t"]);
  const byKey = (key: string) => items.find((item) => item.key === key)?.value;
  if (byKey("remaining") === 0) waits.push(byKey("reset") ?? true);
  const seconds = waits.filter((wait) => typeof wait === "number" && wait >= 0) as number[];
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1_000;
}

function rateLimitReset(from: HintSource): number | undefined {
  const left = number(from.header("ratelimit-remaining")) ?? 0;
  return left > 0 && from.status !== 429 ? undefined : times(number(from.header("ratelimit-reset")), 1_000);
}

function xRateLimitReset(from: HintSource): number | undefined {
  if (from.status !== 429 && !noneLeft(from)) return undefined;
  const reset = number(from.header("x-ratelimit-reset") ?? from.header("x-rate-limit-reset"));
  if (reset === undefined) return undefined;
  if (reset > 1e12) return minus(reset, from.now);
  return reset > 1e9 ? minus(reset * 1_000, from.now) : reset * 1_000;
}

/** A counter of what is left stands at nothing. */
export function noneLeft(from: Pick<HintSource, "header">): boolean {
  return number(from.header("x-ratelimit-remaining") ?? from.header("x-rate-limit-remaining")) === 0;
}
