import type { Limit } from "../../fault/fault.ts";
import { type Bare, readItems } from "./fields.ts";
import { type HintSource, number } from "./hint.ts";

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** The limits that the headers of a reply tell of. */
export function limitsOf(reply: HintSource): readonly Limit[] {
  const current = structured(reply);
  if (current.length > 0) return current;
  const older = older3(reply, "ratelimit-") ?? older3(reply, "x-ratelimit-") ?? older3(reply, "x-rate-limit-");
  return [dictionary(reply), older, shopify(reply)].filter((limit) => limit !== undefined).slice(0, 1);
}

/** `RateLimit-Policy: "burst";q=100;w=60` and `RateLimit: "burst";r=0;t=30`, joined by their names. */
function structured(reply: HintSource): readonly Limit[] {
  const found = new Map<Bare, Limit>();
  for (const { value, params } of readItems(reply.list("ratelimit-policy"))) {
    const limit = { ...nameOf(value), ...count("quota", params["q"]), ...seconds("windowMs", params["w"]) };
    const unit = params["qu"];
    if (limit.quota !== undefined) found.set(value, { ...limit, ...(isName(unit) && { unit }) });
  }
  for (const { value, params } of readItems(reply.list("ratelimit"))) {
    const state = { ...count("remaining", params["r"]), ...seconds("resetMs", params["t"]) };
    if (state.remaining !== undefined) found.set(value, { ...nameOf(value), ...found.get(value), ...state });
  }
  return [...found.values()];
}

/** `RateLimit: limit=100, remaining=0, reset=30`. */
function dictionary(reply: HintSource): Limit | undefined {
  const items = readItems(reply.list("ratelimit"));
  const at = (key: string) => items.find((item) => item.key === key)?.value;
  return orNothing({
    ...count("quota", at("limit")),
    ...count("remaining", at("remaining")),
    ...seconds("resetMs", at("reset")),
  });
}

/** Three headers, one number each; a reset that is a point in time is no length and is left to the wait. */
function older3(reply: HintSource, prefix: string): Limit | undefined {
  const reset = number(reply.header(`${prefix}reset`));
  // Drafts put policies behind the number: `100, 100;w=60`.
  const [limit] = readItems(reply.list(`${prefix}limit`));
  return orNothing({
    ...count("quota", limit?.value),
    ...count("remaining", number(reply.header(`${prefix}remaining`))),
    ...(reset !== undefined && reset <= 1e9 && seconds("resetMs", reset)),
  });
}

/** `X-Shopify-Shop-Api-Call-Limit: 32/40`: used, and how many there are. */
function shopify(reply: HintSource): Limit | undefined {
  const [used, quota] = (reply.header("x-shopify-shop-api-call-limit") ?? "").split("/", 2).map(number);
  return used === undefined || quota === undefined ? undefined : { quota, remaining: Math.max(0, quota - used) };
}

function nameOf(value: Bare): { readonly policy?: string } {
  return isName(value) ? { policy: value } : {};
}

function isName(value: unknown): value is string {
  return typeof value === "string" && NAME.test(value);
}

function count<K extends string>(key: K, value: unknown): Partial<Record<K, number>> {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? ({ [key]: value } as Record<K, number>) : {};
}

function seconds<K extends string>(key: K, value: unknown): Partial<Record<K, number>> {
  return typeof value === "number" && value >= 0 ? ({ [key]: value * 1_000 } as Record<K, number>) : {};
}

function orNothing(limit: Limit): Limit | undefined {
  return Object.keys(limit).length === 0 ? undefined : limit;
}
