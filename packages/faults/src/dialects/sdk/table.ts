import type { SystemFailure, SystemFault } from "../../errors/system-fault.ts";
import type { Effect } from "../../fault/kinds.ts";
import { not_authorized, unauthorized } from "../../reasons/library/auth.ts";
import { message_too_large } from "../../reasons/library/content.ts";
import { cancelled, internal, misconfigured, rate_limited, timeout, unavailable } from "../../reasons/library/core.ts";
import {
  bad_request,
  capability_not_supported,
  http_method,
  invalid_result,
  method_not_found,
  negotiation_failed,
  not_initialized,
  rounds_exceeded,
} from "../../reasons/library/protocol.ts";
import { connection_lost, failed, not_connected, unreachable } from "../../reasons/library/transport.ts";
import type { TableReason } from "../dialect.ts";

/** A reason. `effect` overrides the effect of the reason. */
export interface SdkRow {
  readonly reason: TableReason;
  readonly effect?: Effect;
}

/** Codes of local errors in version 2. `REQUEST_TIMEOUT` is missing, because its data decides what it means. */
export const SDK_LOCAL_ERRORS: Readonly<Record<string, SdkRow>> = {
  NOT_CONNECTED: { reason: not_connected },
  ALREADY_CONNECTED: { reason: internal, effect: "none" },
  NOT_INITIALIZED: { reason: not_initialized },
  CAPABILITY_NOT_SUPPORTED: { reason: capability_not_supported },
  CONNECTION_CLOSED: { reason: connection_lost },
  SEND_FAILED: { reason: failed },
  INVALID_RESULT: { reason: invalid_result },
  UNSUPPORTED_RESULT_TYPE: { reason: invalid_result },
  // Only lists have pages, and listing changes nothing.
  LIST_PAGINATION_EXCEEDED: { reason: invalid_result, effect: "none" },
  INPUT_REQUIRED_ROUNDS_EXCEEDED: { reason: rounds_exceeded },
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: { reason: method_not_found },
  ERA_NEGOTIATION_FAILED: { reason: negotiation_failed },
  CLIENT_HTTP_NOT_IMPLEMENTED: { reason: failed },
  CLIENT_HTTP_AUTHENTICATION: { reason: unauthorized },
  CLIENT_HTTP_FORBIDDEN: { reason: not_authorized },
  CLIENT_HTTP_UNEXPECTED_CONTENT: { reason: invalid_result },
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: { reason: failed },
  CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION: { reason: failed },
};

/** HTTP statuses of the MCP server itself, as its client sees them. */
export const SDK_HTTP_STATUSES: Readonly<Record<number, SdkRow>> = {
  400: { reason: bad_request },
  401: { reason: unauthorized },
  403: { reason: not_authorized },
  405: { reason: http_method },
  406: { reason: bad_request },
  408: { reason: timeout },
  413: { reason: message_too_large },
  415: { reason: bad_request },
  429: { reason: rate_limited },
  503: { reason: unavailable },
  504: { reason: timeout },
};

/** The reason of each failure below `fetch`. */
const NETWORK_FAILURES: Readonly<Record<SystemFailure, SdkRow | undefined>> = {
  unknown_host: { reason: unreachable },
  unreachable: { reason: unreachable },
  certificate: { reason: misconfigured, effect: "none" },
  tls: { reason: misconfigured, effect: "possible" },
  lost: { reason: connection_lost },
  failed: { reason: failed },
  timeout: { reason: timeout },
  cancelled: { reason: cancelled },
  closed: { reason: connection_lost },
  overloaded: { reason: failed },
  storage: { reason: failed },
  bad_reply: { reason: invalid_result },
  reply_too_large: { reason: invalid_result },
  bad_call: { reason: internal, effect: "none" },
};

/** Returns the row of a failure below `fetch`. Only a request that was never sent surely had no effect. */
export function networkRow({ failure, unsent }: SystemFault): SdkRow | undefined {
  const row = NETWORK_FAILURES[failure];
  if (row?.reason === timeout && unsent) return { reason: unreachable };
  return row?.reason === unreachable && !unsent ? { reason: connection_lost } : row;
}
