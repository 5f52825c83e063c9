import { peek, peekString, readClassName } from "../../errors/peek.ts";
import { hasTimeoutLimit, isSdkError, sdkHttpFailure } from "../../sdk/errors.ts";
import {
  cancelled,
  internal,
  misconfigured,
  rate_limited,
  timeout,
  unavailable,
  upstream_failed,
} from "../library/core.ts";
import { url_required } from "../library/elicitation.ts";
import {
  capability_not_supported,
  header_mismatch,
  invalid_params,
  invalid_request,
  invalid_result,
  method_not_found,
  missing_client_capability,
  negotiation_failed,
  not_initialized,
  parse_error,
  rounds_exceeded,
  version_unsupported,
} from "../library/protocol.ts";
import { not_found as resource_not_found } from "../library/resource.ts";
import { connection_lost, failed, not_connected } from "../library/transport.ts";
import type { TableReason } from "../types.ts";

/** JSON-RPC codes that mean the same in every revision of the protocol. */
const PROTOCOL_CODES: Readonly<Record<number, TableReason>> = {
  [-32700]: parse_error,
  [-32600]: invalid_request,
  [-32601]: method_not_found,
  [-32602]: invalid_params,
  [-32603]: internal,
  [-32002]: resource_not_found,
  [-32020]: header_mismatch,
  [-32021]: missing_client_capability,
  [-32022]: version_unsupported,
  [-32042]: url_required,
};

/** Local failures of SDK version 1, which have integers of the legacy range. */
const V1_LOCAL: Readonly<Record<number, TableReason>> = {
  [-32000]: failed,
  [-32001]: timeout,
};

/** Local failures of SDK version 2, which have names. */
const V2_LOCAL: Readonly<Record<string, TableReason>> = {
  NOT_CONNECTED: not_connected,
  NOT_INITIALIZED: not_initialized,
  CAPABILITY_NOT_SUPPORTED: capability_not_supported,
  CONNECTION_CLOSED: connection_lost,
  SEND_FAILED: failed,
  INVALID_RESULT: invalid_result,
  UNSUPPORTED_RESULT_TYPE: invalid_result,
  LIST_PAGINATION_EXCEEDED: invalid_result,
  INPUT_REQUIRED_ROUNDS_EXCEEDED: rounds_exceeded,
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: method_not_found,
  ERA_NEGOTIATION_FAILED: negotiation_failed,
};

/** What an HTTP status of a server behind this one means. If it refuses our credentials, we are configured wrongly. */
function reasonOfStatus(status: number): TableReason {
  if (status === 401 || status === 403) return misconfigured;
  if (status === 429) return rate_limited;
  if (status === 503) return unavailable;
  return status === 408 || status === 504 ? timeout : upstream_failed;
}

/** The reason of an error of the official SDK, versions 1 and 2; undefined for any other value. */
export function sdkReason(error: unknown): TableReason | undefined {
  const code = peek(error, "code");
  const http = sdkHttpFailure(error);
  if (http !== undefined) return reasonOfStatus(http.status ?? 0);
  if (isSdkError(error, "SdkError") && typeof code === "string") {
    if (code === "REQUEST_TIMEOUT") return hasTimeoutLimit(error) ? timeout : cancelled;
    return (Object.hasOwn(V2_LOCAL, code) ? V2_LOCAL[code] : undefined) ?? internal;
  }
  // Its code is the one of any wrong parameter.
  if (isSdkError(error, "ResourceNotFoundError")) return resource_not_found;
  if (isSdkError(error, "ProtocolError") && typeof code === "number") return PROTOCOL_CODES[code] ?? internal;
  if (peekString(error, "name") === "McpError" && typeof code === "number") {
    return PROTOCOL_CODES[code] ?? V1_LOCAL[code] ?? internal;
  }
  return readClassName(error) === "UnauthorizedError" ? misconfigured : undefined;
}
