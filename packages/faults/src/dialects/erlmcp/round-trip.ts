import type { FaultDetails } from "../../fault/build.ts";
import type { Fault, Param } from "../../fault/fault.ts";
import { carriedAfterRoundTrip } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import { peerQuote } from "../sentence.ts";
import { erlmcpRowFor } from "./choose-row.ts";
import {
  erlmcpDetailFor,
  erlmcpMessageFor,
  erlmcpParamsFor,
  erlmcpQuote,
  issueFromMembers,
  wholeSeconds,
} from "./fields.ts";
import { ERLMCP_DEFAULTS } from "./table.ts";

/** The fault after a round trip. Kinds that share a code become one; messages of its own and issues become a quote. */
export function erlmcpAfterRoundTrip(fault: Fault, context: EncodeContext = {}): Fault {
  const row = erlmcpRowFor(fault, context);
  const params = erlmcpParamsFor(fault, row, context);
  const issue = issueFromMembers(row, (name) => params[name]);
  const quote = erlmcpQuote(erlmcpMessageFor(fault, row, context), erlmcpDetailFor(fault, row, context), row.reason.id);
  return row.reason.fault(params, {
    ...carriedAfterRoundTrip(fault),
    ...peerQuote(quote),
    ...(issue !== undefined && { issues: [issue] }),
    ...erlmcpRetryAfterRoundTrip(fault),
    ...(row.reason.kind === "rate_limited" && {
      afterMs: ERLMCP_DEFAULTS.retryAfterMs,
      ...erlmcpLimitsAfterRoundTrip(params),
    }),
  });
}

function erlmcpRetryAfterRoundTrip({ retry }: Fault): FaultDetails {
  if (retry?.allowed !== true || retry.afterMs === undefined) return {};
  return { retry: { allowed: true, afterMs: wholeSeconds(retry.afterMs) * 1_000 } };
}

function erlmcpLimitsAfterRoundTrip({ limit, windowMs }: Readonly<Record<string, Param>>): FaultDetails {
  const left = { ...(limit !== undefined && { quota: limit }), ...(windowMs !== undefined && { windowMs }) };
  return Object.keys(left).length === 0 ? {} : { limits: [left as { quota?: number; windowMs?: number }] };
}
