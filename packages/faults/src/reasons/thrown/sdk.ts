import { classNameOf, peek, peekString } from "../../errors/peek.ts";
import { hasTimeoutLimit, isSdkError, sdkHttpFailureOf } from "../../sdk/errors.ts";
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
import { type ErrorMatcher, type FaultBuilder, withoutParams } from "./error-matcher.ts";

/** JSON-RPC codes that mean the same in every revision of the protocol. */
const PROTOCOL_CODES: Readonly<Record<number, FaultBuilder>> = {
  [-32700]: withoutParams(parse_error),
  [-32600]: withoutParams(invalid_request),
  [-32601]: withoutParams(method_not_found),
  [-32602]: withoutParams(invalid_params),
  [-32603]: withoutParams(internal),
  [-32002]: withoutParams(resource_not_found),
  [-32020]: withoutParams(header_mismatch),
  [-32021]: withoutParams(missing_client_capability),
  [-32022]: withoutParams(version_unsupported),
  [-32042]: withoutParams(url_required),
};

/** Local failures of SDK version 1, which have integers of the legacy range. */
const V1_LOCAL: Readonly<Record<number, FaultBuilder>> = {
  [-32000]: withoutParams(failed),
  [-32001]: withoutParams(timeout),
};

/** Local failures of SDK version 2, which have names. */
const V2_LOCAL: Readonly<Record<string, FaultBuilder>> = {
  NOT_CONNECTED: withoutParams(not_connected),
  NOT_INITIALIZED: withoutParams(not_initialized),
  CAPABILITY_NOT_SUPPORTED: withoutParams(capability_not_supported),
  CONNECTION_CLOSED: withoutParams(connection_lost),
  SEND_FAILED: withoutParams(failed),
  INVALID_RESULT: withoutParams(invalid_result),
  UNSUPPORTED_RESULT_TYPE: withoutParams(invalid_result),
  LIST_PAGINATION_EXCEEDED: withoutParams(invalid_result),
  INPUT_REQUIRED_ROUNDS_EXCEEDED: withoutParams(rounds_exceeded),
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: withoutParams(method_not_found),
  ERA_NEGOTIATION_FAILED: withoutParams(negotiation_failed),
};

/** What an HTTP status of a server behind this one means. If it refuses our credentials, we are configured wrongly. */
function builderForStatus(status: number): FaultBuilder {
  if (status === 401 || status === 403) return withoutParams(misconfigured);
  if (status === 429) return withoutParams(rate_limited);
  if (status === 503) return withoutParams(unavailable);
  return withoutParams(status === 408 || status === 504 ? timeout : upstream_failed);
}

/** Matches errors of the official SDK, versions 1 and 2. */
export const matchSdkError: ErrorMatcher = (error) => {
  const code = peek(error, "code");
  const http = sdkHttpFailureOf(error);
  if (http !== undefined) return builderForStatus(http.status ?? 0);
  if (isSdkError(error, "SdkError") && typeof code === "string") {
    if (code === "REQUEST_TIMEOUT") return withoutParams(hasTimeoutLimit(error) ? timeout : cancelled);
    return (Object.hasOwn(V2_LOCAL, code) ? V2_LOCAL[code] : undefined) ?? withoutParams(internal);
  }
  // Its code is the one of any wrong parameter.
  if (isSdkError(error, "ResourceNotFoundError")) return withoutParams(resource_not_found);
  if (isSdkError(error, "ProtocolError") && typeof code === "number")
    return PROTOCOL_CODES[code] ?? withoutParams(internal);
  if (peekString(error, "name") === "McpError" && typeof code === "number") {
    return PROTOCOL_CODES[code] ?? V1_LOCAL[code] ?? withoutParams(internal);
  }
  return classNameOf(error) === "UnauthorizedError" ? withoutParams(misconfigured) : undefined;
};
