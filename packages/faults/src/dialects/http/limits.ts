import type { Limit } from "../../fault/fault.ts";
import { type BareItem, parseField } from "./structured-fields.ts";
import { parseDecimal, type ReplySource } from "./waits.ts";

const POLICY_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** Returns the limits that the headers of a reply state. */
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
