import type { Effect } from "../../fault/kinds.ts";
import { not_authorized, unauthorized } from "../../reasons/library/auth.ts";
import { message_too_large } from "../../reasons/library/content.ts";
import { internal, misconfigured, rate_limited, timeout, unavailable } from "../../reasons/library/core.ts";
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

/** A reason, and the effect where it is known better than by the reason. */
export interface Row {
  readonly reason: TableReason;
  readonly effect?: Effect;
}

/** Codes of version 2's local failures; a timeout and an abort share one, which is told apart by its data. */
export const LOCAL: Readonly<Record<string, Row>> = {
  NOT_CONNECTED: { reason: not_connected },
  ALREADY_CONNECTED: { reason: internal, effect: "none" },
  NOT_INITIALIZED: { reason: not_initialized },
  CAPABILITY_NOT_SUPPORTED: { reason: capability_not_supported },
  CONNECTION_CLOSED: { reason: connection_lost },
  SEND_FAILED: { reason: failed },
  INVALID_RESULT: { reason: invalid_result },
  UNSUPPORTED_RESULT_TYPE: { reason: invalid_result },
  // Only lists have pages, and lists change nothing.
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

/** HTTP statuses of the MCP server itself, as its client sees them; all others are only told. */
export const STATUS: Readonly<Record<number, Row>> = {
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

const notSent: Row = { reason: unreachable };
const lost: Row = { reason: connection_lost };
const late: Row = { reason: timeout };
const refused: Row = { reason: misconfigured, effect: "none" };

/** Codes below `fetch`: whether the request had left decides whether it may have had an effect. */
export const NETWORK: Readonly<Record<string, Row>> = {
  ECONNREFUSED: notSent,
  EHOSTUNREACH: notSent,
  EHOSTDOWN: notSent,
  ENETUNREACH: notSent,
  ENETDOWN: notSent,
  EADDRNOTAVAIL: notSent,
  EAI_AGAIN: notSent,
  ENOTFOUND: notSent,
  UND_ERR_CONNECT_TIMEOUT: notSent,
  ECONNRESET: lost,
  ECONNABORTED: lost,
  EPIPE: lost,
  UND_ERR_SOCKET: lost,
  UND_ERR_CLOSED: lost,
  UND_ERR_DESTROYED: lost,
  ETIMEDOUT: late,
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_BODY_TIMEOUT: late,
  CERT_HAS_EXPIRED: refused,
  DEPTH_ZERO_SELF_SIGNED_CERT: refused,
  SELF_SIGNED_CERT_IN_CHAIN: refused,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: refused,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: refused,
  ERR_TLS_CERT_ALTNAME_INVALID: refused,
};
