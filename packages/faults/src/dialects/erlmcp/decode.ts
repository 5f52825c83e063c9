import type { Details } from "../../fault/build.ts";
import type { Fault } from "../../fault/fault.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import { readCertainty } from "../certainty.ts";
import type { DecodeContext } from "../dialect.ts";
import { quoteOf } from "../prose.ts";
import { type Json, memberAt, numberAt, open, stringAt } from "../wire.ts";
import { CATEGORIES, errorCategory } from "./codes.ts";
import { BY_KIND, DEFAULTS, IN_SECONDS, type Row, rowOf, rowOfReason } from "./table.ts";
import { issueFrom, quotation } from "./told.ts";

/** Reads a JSON-RPC error; a code in no range of the system is not understood. */
export function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { error } = open(wire);
  if (error === undefined) return undefined;
  const { code, message, data } = error;
  const category = errorCategory(code);
  const general = category === undefined ? unrecognised : CATEGORIES[category].reason;
  const row = rowOf(code) ?? rowOfReason(general.id);
  const reason = row?.reason ?? general;
  const detail = typeof data === "string" ? data : stringAt(data, "details");
  return reason.fault(row === undefined ? {} : paramsOf(row, data), {
    ...context,
    ...readCertainty(data),
    ...quoteOf(quotation(message, detail, reason.id)),
    ...detailsOf(row, data),
  });
}

/** The members as params; the slots of the reason refuse what does not fit. */
function paramsOf(row: Row, data: unknown): Json {
  const params: Record<string, unknown> = {};
  for (const [member, name] of Object.entries(row.members ?? {})) {
    const value = memberAt(data, member);
    if (value === undefined || !isCounted(member, data)) continue;
    params[name] = typeof value === "number" && IN_SECONDS.includes(member) ? value * 1_000 : value;
  }
  return params;
}

/** A size in another unit than bytes would be read wrongly. */
function isCounted(member: string, data: unknown): boolean {
  return !member.endsWith("_size") || (stringAt(data, "unit") ?? "bytes") === "bytes";
}

function detailsOf(row: Row | undefined, data: unknown): Details {
  const seconds = numberAt(data, "retry_after");
  const issue = row === undefined ? undefined : issueFrom(row, (name) => memberAt(data, name));
  return {
    ...(seconds !== undefined && seconds >= 0 && { retry: { allowed: true, afterMs: seconds * 1_000 } }),
    ...(row?.code === BY_KIND.rate_limited && { afterMs: DEFAULTS.retryAfterMs, ...limitsOf(data) }),
    ...(issue !== undefined && { issues: [issue] }),
  };
}

function limitsOf(data: unknown): Details {
  const quota = numberAt(data, "limit");
  const window = numberAt(data, "window");
  if (quota === undefined && window === undefined) return {};
  const limit = { ...(quota !== undefined && { quota }), ...(window !== undefined && { windowMs: window * 1_000 }) };
  return { limits: [limit] };
}
