import { peek, peekString, readClassName } from "../../errors/peek.ts";
import { hasTimeoutLimit, isSdkError, sdkHttpFailure } from "../../sdk/errors.ts";
import * as core from "../library/core.ts";
import { url_required } from "../library/elicitation.ts";
import * as protocol from "../library/protocol.ts";
import { not_found as resource_not_found } from "../library/resource.ts";
import { connection_lost, failed, not_connected } from "../library/transport.ts";
import type { TableReason } from "../types.ts";

const PROTOCOL_CODES: Readonly<Record<number, TableReason>> = {
  [-32700]: protocol.parse_error,
  [-32600]: protocol.invalid_request,
  [-32601]: protocol.method_not_found,
  [-32602]: protocol.invalid_params,
  [-32603]: core.internal,
  [-32002]: resource_not_found,
  [-32020]: protocol.header_mismatch,
  [-32021]: protocol.missing_client_capability,
  [-32022]: protocol.version_unsupported,
  [-32042]: url_required,
};

/** Local failures of SDK version 1, which have integers of the legacy range. */
const V1_LOCAL: Readonly<Record<number, TableReason>> = { [-32000]: failed, [-32001]: core.timeout };

const V2_LOCAL: Readonly<Record<string, TableReason>> = {
  NOT_CONNECTED: not_connected,
  NOT_INITIALIZED: protocol.not_initialized,
  CAPABILITY_NOT_SUPPORTED: protocol.capability_not_supported,
  CONNECTION_CLOSED: connection_lost,
  SEND_FAILED: failed,
  INVALID_RESULT: protocol.invalid_result,
  UNSUPPORTED_RESULT_TYPE: protocol.invalid_result,
  LIST_PAGINATION_EXCEEDED: protocol.invalid_result,
  INPUT_REQUIRED_ROUNDS_EXCEEDED: protocol.rounds_exceeded,
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: protocol.method_not_found,
  ERA_NEGOTIATION_FAILED: protocol.negotiation_failed,
};

/** What an HTTP status of a server behind this one means. If it refuses our credentials, we are configured wrongly. */
function reasonOfStatus(status: number): TableReason {
  if (status === 401 || status === 403) return core.misconfigured;
  if (status === 429) return core.rate_limited;
  if (status === 503) return core.unavailable;
  return status === 408 || status === 504 ? core.timeout : core.upstream_failed;
}

/** The reason of an error of the official SDK, versions 1 and 2; undefined for any other value. */
export function sdkReason(error: unknown): TableReason | undefined {
  const code = peek(error, "code");
  const http = sdkHttpFailure(error);
  if (http !== undefined) return reasonOfStatus(http.status ?? 0);
  if (isSdkError(error, "SdkError") && typeof code === "string") {
    if (code === "REQUEST_TIMEOUT") return hasTimeoutLimit(error) ? core.timeout : core.cancelled;
    return (Object.hasOwn(V2_LOCAL, code) ? V2_LOCAL[code] : undefined) ?? core.internal;
  }
  // Its code is the one of any wrong parameter.
  if (isSdkError(error, "ResourceNotFoundError")) return resource_not_found;
  if (isSdkError(error, "ProtocolError") && typeof code === "number") return PROTOCOL_CODES[code] ?? core.internal;
  if (peekString(error, "name") === "McpError" && typeof code === "number") {
    return PROTOCOL_CODES[code] ?? V1_LOCAL[code] ?? core.internal;
  }
  return readClassName(error) === "UnauthorizedError" ? core.misconfigured : undefined;
}
