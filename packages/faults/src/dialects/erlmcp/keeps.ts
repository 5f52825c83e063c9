import type { Details } from "../../fault/build.ts";
import type { Fault, Param } from "../../fault/fault.ts";
import { keptCertainty } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import { quoteOf } from "../prose.ts";
import { DEFAULTS } from "./table.ts";
import { detailFor, issueFrom, messageFor, paramsFor, quotation, rowFor, wholeSeconds } from "./told.ts";

/**
 * Survives: the code's reason, the params that have a member (times in whole seconds where the member counts those),
 * a wait that the peer named, one limit of a rate, the argument that a member names, effect and guess.
 * Merges: kinds that share a code. Becomes a quotation: a sentence other than the fixed one, and the list of issues.
 * Lost: a peer's "do not repeat", its attempts and back-off, other limits, origin, tried, cause, ids, time.
 */
export function keeps(fault: Fault, context: EncodeContext = {}): Fault {
  const row = rowFor(fault, context);
  const params = paramsFor(fault, row, context);
  const issue = issueFrom(row, (name) => params[name]);
  const said = quotation(messageFor(fault, row), detailFor(fault, row, context), row.reason.id);
  return row.reason.fault(params, {
    ...keptCertainty(fault, row.reason),
    ...quoteOf(said),
    ...(issue !== undefined && { issues: [issue] }),
    ...keptRetry(fault),
    ...(row.reason.kind === "rate_limited" && { afterMs: DEFAULTS.retryAfterMs, ...keptLimit(params) }),
  });
}

function keptRetry({ retry }: Fault): Details {
  if (retry?.allowed !== true || retry.afterMs === undefined) return {};
  return { retry: { allowed: true, afterMs: wholeSeconds(retry.afterMs) * 1_000 } };
}

function keptLimit({ limit, windowMs }: Readonly<Record<string, Param>>): Details {
  const kept = { ...(limit !== undefined && { quota: limit }), ...(windowMs !== undefined && { windowMs }) };
  return Object.keys(kept).length === 0 ? {} : { limits: [kept as { quota?: number; windowMs?: number }] };
}
