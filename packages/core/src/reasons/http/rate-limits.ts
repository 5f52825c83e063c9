// The waits and the limits that a reply states, in its headers or in its body.

import type { Limit } from "../../fault/fault.ts";
import { memberAt, numberAt, objectAt, stringAt } from "../../wire/json.ts";
import { googleDetail } from "./body.ts";
import { type BareItem, type FieldItem, parseField, parseHttpDate } from "./header-values.ts";

export interface ReplySource {
  readonly status: number;
  readonly body: unknown;
  /** Time of the reply in ms since 1970. */
  readonly now: number | undefined;
  header(name: string): string | undefined;
  /** All values of a header, joined with commas. */
  list(name: string): string | undefined;
}

export interface StatedWait {
  readonly ms: number;
  /** The reply names the wait itself. Otherwise it is the reset of a limit. */
  readonly explicit: boolean;
}

interface WaitReader {
  /** Its name in the generated documentation. */
  readonly label: string;
  readonly explicit: boolean;
  read(source: ReplySource): number | undefined;
}

/** The places of a wait. The first that can be read counts. */
export const WAIT_READERS: readonly WaitReader[] = [
  { label: "`Retry-After-Ms`", explicit: true, read: (from) => parseDecimal(from.header("retry-after-ms")) },
  {
    label: "`Retry-After`, seconds",
    explicit: true,
    read: (from) => scaled(parseDecimal(from.header("retry-after")), 1_000),
  },
  {
    label: "`Retry-After`, a date",
    explicit: true,
    read: (from) => difference(parseHttpDate(from.header("retry-after")), from.now),
  },
  { label: "`RetryInfo.retryDelay` of a google.rpc body", explicit: true, read: (from) => googleRetryDelay(from.body) },
  { label: "member `retry_after_ms`", explicit: true, read: (from) => numberInBody(from.body, "retry_after_ms") },
  {
    label: "member `retry_after`, seconds",
    explicit: true,
    read: (from) => scaled(numberInBody(from.body, "retry_after"), 1_000),
  },
  {
    label: "`RateLimit` with nothing left",
    explicit: false,
    read: (from) => waitOfExhausted(parseField(from.list("ratelimit"))),
  },
  { label: "`RateLimit-Reset`, seconds", explicit: false, read: rateLimitReset },
  { label: "`X-RateLimit-Reset`, by its magnitude", explicit: false, read: xRateLimitReset },
];

/** Returns the wait that a reply asks for. A time in the past is a wait of 0 ms. */
export function statedWait(source: ReplySource): StatedWait | undefined {
  for (const { explicit, read } of WAIT_READERS) {
    const ms = read(source);
    if (ms !== undefined) return { ms: Math.max(0, Math.ceil(ms)), explicit };
  }
  return undefined;
}

/** Parses a plain decimal number, without sign or exponent. A date that begins with digits is not one. */
function parseDecimal(text: string | undefined): number | undefined {
  return text !== undefined && text.length <= 64 && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** Multiplies without the error of binary fractions, which rounding up would turn into a millisecond. */
function scaled(value: number | undefined, factor: number): number | undefined {
  return value === undefined ? undefined : Number((value * factor).toFixed(6));
}

function difference(value: number | undefined, from: number | undefined): number | undefined {
  return value === undefined || from === undefined ? undefined : value - from;
}

function numberInBody(body: unknown, name: string): number | undefined {
  for (const holder of [body, objectAt(body, "error"), objectAt(body, "parameters")]) {
    const value = numberAt(holder, name) ?? parseDecimal(stringAt(holder, name));
    if (value !== undefined && value >= 0) return value;
  }
  return undefined;
}

function googleRetryDelay(body: unknown): number | undefined {
  const delay = memberAt(googleDetail(body, "RetryInfo"), "retryDelay");
  if (typeof delay === "string")
    return delay.endsWith("s") ? scaled(parseDecimal(delay.slice(0, -1)), 1_000) : undefined;
  const seconds = numberAt(delay, "seconds") ?? parseDecimal(stringAt(delay, "seconds"));
  const nanos = numberAt(delay, "nanos") ?? 0;
  return seconds === undefined ? undefined : seconds * 1_000 + nanos / 1_000_000;
}

/** The longest wait of the used-up limits, in the current syntax or in the dictionary of older drafts. */
function waitOfExhausted(items: readonly FieldItem[]): number | undefined {
  const waits = items.filter(({ params }) => params["r"] === 0).map(({ params }) => params["t"]);
  const byKey = (key: string) => items.find((item) => item.key === key)?.value;
  if (byKey("remaining") === 0) waits.push(byKey("reset") ?? true);
  const seconds = waits.filter((wait) => typeof wait === "number" && wait >= 0) as number[];
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1_000;
}

function rateLimitReset(from: ReplySource): number | undefined {
  const left = parseDecimal(from.header("ratelimit-remaining")) ?? 0;
  return left > 0 && from.status !== 429 ? undefined : scaled(parseDecimal(from.header("ratelimit-reset")), 1_000);
}

function xRateLimitReset(from: ReplySource): number | undefined {
  if (from.status !== 429 && !isNoneLeft(from)) return undefined;
  const reset = parseDecimal(from.header("x-ratelimit-reset") ?? from.header("x-rate-limit-reset"));
  if (reset === undefined) return undefined;
  if (reset > 1e12) return difference(reset, from.now);
  return reset > 1e9 ? difference(reset * 1_000, from.now) : reset * 1_000;
}

/** Checks whether a counter of remaining requests is 0. */
export function isNoneLeft(from: Pick<ReplySource, "header">): boolean {
  return parseDecimal(from.header("x-ratelimit-remaining") ?? from.header("x-rate-limit-remaining")) === 0;
}

const POLICY_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

export function limitsOfReply(reply: ReplySource): readonly Limit[] {
  const current = structuredLimits(reply);
  if (current.length > 0) return current;
  const older =
    separateHeadersLimit(reply, "ratelimit-") ??
    separateHeadersLimit(reply, "x-ratelimit-") ??
    separateHeadersLimit(reply, "x-rate-limit-");
  return [dictionaryLimit(reply), older, shopifyLimit(reply)].filter((limit) => limit !== undefined).slice(0, 1);
}

/** `RateLimit-Policy: "burst";q=100;w=60` and `RateLimit: "burst";r=0;t=30`, joined by their names. */
function structuredLimits(reply: ReplySource): readonly Limit[] {
  const found = new Map<BareItem, Limit>();
  for (const { value, params } of parseField(reply.list("ratelimit-policy"))) {
    const limit = {
      ...policyName(value),
      ...countMember("quota", params["q"]),
      ...secondsMember("windowMs", params["w"]),
    };
    const unit = params["qu"];
    if (limit.quota !== undefined) found.set(value, { ...limit, ...(isPolicyName(unit) && { unit }) });
  }
  for (const { value, params } of parseField(reply.list("ratelimit"))) {
    const state = { ...countMember("remaining", params["r"]), ...secondsMember("resetMs", params["t"]) };
    if (state.remaining !== undefined) found.set(value, { ...policyName(value), ...found.get(value), ...state });
  }
  return [...found.values()];
}

/** `RateLimit: limit=100, remaining=0, reset=30`. */
function dictionaryLimit(reply: ReplySource): Limit | undefined {
  const items = parseField(reply.list("ratelimit"));
  const at = (key: string) => items.find((item) => item.key === key)?.value;
  return nonEmptyLimit({
    ...countMember("quota", at("limit")),
    ...countMember("remaining", at("remaining")),
    ...secondsMember("resetMs", at("reset")),
  });
}

/** Three headers with one number each. A reset that is a point in time is not a duration, so `waits.ts` reads it. */
function separateHeadersLimit(reply: ReplySource, prefix: string): Limit | undefined {
  const reset = parseDecimal(reply.header(`${prefix}reset`));
  // Drafts append policies to the number: `100, 100;w=60`.
  const [limit] = parseField(reply.list(`${prefix}limit`));
  return nonEmptyLimit({
    ...countMember("quota", limit?.value),
    ...countMember("remaining", parseDecimal(reply.header(`${prefix}remaining`))),
    ...(reset !== undefined && reset <= 1e9 && secondsMember("resetMs", reset)),
  });
}

/** `X-Shopify-Shop-Api-Call-Limit: 32/40`: used requests, and the quota. */
function shopifyLimit(reply: ReplySource): Limit | undefined {
  const [used, quota] = (reply.header("x-shopify-shop-api-call-limit") ?? "").split("/", 2).map(parseDecimal);
  return used === undefined || quota === undefined ? undefined : { quota, remaining: Math.max(0, quota - used) };
}

function policyName(value: BareItem): { readonly policy?: string } {
  return isPolicyName(value) ? { policy: value } : {};
}

function isPolicyName(value: unknown): value is string {
  return typeof value === "string" && POLICY_NAME.test(value);
}

function countMember<K extends string>(key: K, value: unknown): Partial<Record<K, number>> {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? ({ [key]: value } as Record<K, number>) : {};
}

function secondsMember<K extends string>(key: K, value: unknown): Partial<Record<K, number>> {
  return typeof value === "number" && value >= 0 ? ({ [key]: value * 1_000 } as Record<K, number>) : {};
}

function nonEmptyLimit(limit: Limit): Limit | undefined {
  return Object.keys(limit).length === 0 ? undefined : limit;
}
