// What a status says that has no reply around it, by who used it. Replies of other services are read by the rules of table.ts,
// where some statuses mean something else: a test holds the two together.

import type { Fault } from "../../fault/fault.ts";
import type { ReasonOptions } from "../build-safely.ts";
import { access_denied, not_authorized, unauthorized } from "../library/auth.ts";
import { invalid_type, message_too_large } from "../library/content.ts";
import * as core from "../library/core.ts";
import { bad_request, http_method } from "../library/protocol.ts";
import type { TableReason } from "../types.ts";

interface StatusRow {
  /** This server's own code put it on an error for its caller. */
  readonly author?: TableReason;
  /** An MCP server, or a proxy in front of it, answered its client with it. */
  readonly server?: TableReason;
  /** The handler behind `guardHandler` answered with it, or a parser of the framework refused a request. */
  readonly edge?: TableReason;
}

export const STATUS_MEANINGS: Readonly<Record<number, StatusRow>> = {
  400: { server: bad_request },
  401: { author: unauthorized, server: unauthorized, edge: unauthorized },
  402: { author: core.precondition_failed },
  403: { author: not_authorized, server: not_authorized, edge: access_denied },
  404: { author: core.not_found },
  405: { author: core.unsupported, server: http_method, edge: http_method },
  406: { author: core.unsupported, server: bad_request },
  408: { author: core.timeout, server: core.timeout },
  409: { author: core.conflict, edge: core.conflict },
  410: { author: core.not_found },
  412: { author: core.precondition_failed },
  413: { author: message_too_large, server: message_too_large, edge: message_too_large },
  414: { author: message_too_large },
  415: { author: core.unsupported, server: bad_request, edge: invalid_type },
  423: { author: core.precondition_failed },
  424: { author: core.precondition_failed },
  426: { author: core.unsupported },
  428: { author: core.precondition_failed },
  429: { author: core.rate_limited, server: core.rate_limited },
  431: { author: message_too_large },
  451: { author: not_authorized },
  499: { author: core.cancelled },
  503: { server: core.unavailable },
  504: { server: core.timeout },
};

export type MatchedFaultBuilder = (options: ReasonOptions) => Fault;

/** The fault of a status that blames the caller; undefined for any other number. */
export function callerStatusBuilder(status: number | undefined): MatchedFaultBuilder | undefined {
  if (status === undefined || status < 400 || status > 499) return undefined;
  // HTTP says that a client treats a 4xx status that it does not know like 400.
  const reason = STATUS_MEANINGS[status]?.author ?? core.validation_failed;
  const advice = status === 402 ? ({ recourse: [{ do: "ask_user" }] } as const) : {};
  return (options) => reason.fault(undefined, { ...advice, ...options });
}

/** What is known about the size of a message that was refused. */
interface MessageSize {
  readonly maxSize?: number | undefined;
  readonly actualSize?: number | undefined;
}

/** The fault of a status that a handler or a parser at the HTTP edge used; undefined if the status alone says nothing. */
export function edgeStatusFault(status: number, size: MessageSize): Fault | undefined {
  const reason = STATUS_MEANINGS[status]?.edge;
  return reason?.fault(reason === message_too_large ? size : {});
}
