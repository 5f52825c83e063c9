import { peek, peekString, readClassName, snapshot } from "../../errors/peek.ts";
import type { FaultDetails } from "../../fault/build.ts";
import type { Fault } from "../../fault/fault.ts";
import { hasTimeoutLimit, isSdkError, sdkHttpFailure } from "../../sdk/errors.ts";
import type { ReasonOptions } from "../build-safely.ts";
import { failed as adapter_failed } from "../library/adapter.ts";
import {
  busy,
  cancelled,
  conflict,
  internal,
  misconfigured,
  overloaded,
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
import { type ErrorMatcher, type MatchedFaultBuilder, withoutParams } from "./platform-errors.ts";

/** JSON-RPC codes that mean the same in every revision of the protocol. */
const PROTOCOL_CODES: Readonly<Record<number, MatchedFaultBuilder>> = {
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
const V1_LOCAL: Readonly<Record<number, MatchedFaultBuilder>> = {
  [-32000]: withoutParams(failed),
  [-32001]: withoutParams(timeout),
};

/** Local failures of SDK version 2, which have names. */
const V2_LOCAL: Readonly<Record<string, MatchedFaultBuilder>> = {
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
function builderForStatus(status: number): MatchedFaultBuilder {
  if (status === 401 || status === 403) return withoutParams(misconfigured);
  if (status === 429) return withoutParams(rate_limited);
  if (status === 503) return withoutParams(unavailable);
  return withoutParams(status === 408 || status === 504 ? timeout : upstream_failed);
}

/** Matches errors of the official SDK, versions 1 and 2. */
export const matchSdkError: ErrorMatcher = (error) => {
  const code = peek(error, "code");
  const http = sdkHttpFailure(error);
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
  return readClassName(error) === "UnauthorizedError" ? withoutParams(misconfigured) : undefined;
};

/** SQLSTATE codes that mean something other than their class. */
const SQLSTATES: Readonly<Record<string, MatchedFaultBuilder>> = {
  "23503": withoutParams(conflict),
  "23505": withoutParams(conflict),
  "23P01": withoutParams(conflict),
  "25006": withoutParams(unavailable),
  "25P03": withoutParams(timeout),
  "25P04": withoutParams(timeout),
  "40001": withoutParams(busy),
  "40P01": withoutParams(busy),
  "42501": withoutParams(misconfigured),
  "53100": withoutParams(misconfigured),
  "55006": withoutParams(busy),
  "55P03": withoutParams(busy),
  "57014": withoutParams(timeout),
};

/** The classes of SQLSTATE codes: their first two characters. */
const SQLSTATE_CLASSES: Readonly<Record<string, MatchedFaultBuilder>> = {
  "08": withoutParams(unavailable),
  "28": withoutParams(misconfigured),
  "3D": withoutParams(misconfigured),
  "40": withoutParams(busy),
  "53": withoutParams(overloaded),
  "57": withoutParams(unavailable),
  "58": withoutParams(upstream_failed),
  F0: withoutParams(misconfigured),
  XX: withoutParams(upstream_failed),
};

const SQLSTATE_FORM = /^[0-9A-Z]{5}$/;

/** Matches errors of a PostgreSQL server. Drivers put the SQLSTATE into `code` and have a `severity` beside it. */
export const matchPostgresError: ErrorMatcher = (error) => {
  const state = peekString(error, "code");
  if (state === undefined || !SQLSTATE_FORM.test(state) || peekString(error, "severity") === undefined)
    return undefined;
  // Any other code means a wrong statement, which is a bug of the server.
  return SQLSTATES[state] ?? SQLSTATE_CLASSES[state.slice(0, 2)] ?? withoutParams(internal);
};

/** The mark of every `AdapterError` of `@recourse/bridge`. */
export const ADAPTER_ERROR_BRAND: unique symbol = Symbol.for("recourse/AdapterError");

/** The form of an identifier, such as `ORDER_NOT_FOUND`. Sentences do not have it. */
export const ADAPTER_IDENTIFIER: RegExp = /^[A-Za-z][A-Za-z0-9_]{0,59}$/;

/** Nobody said what the identifier means for the caller, so the model looks first instead of repeating the call. */
const MOVES_AFTER_IDENTIFIER = [{ do: "refresh" }, { do: "stop" }] as const;

/**
 * The fault of an `AdapterError` whose identifier no adapter declares; undefined for any other value. What the error states
 * counts more than the given details.
 */
export function adapterErrorFault(value: unknown, details: ReasonOptions = {}): Fault | undefined {
  if (!hasBrand(value)) return undefined;
  const identifier = peekString(value, "identifier") ?? "";
  // Building the fault drops every member that does not fit.
  const { effect, retry, issues } = snapshot({
    effect: peek(value, "effect"),
    retry: peek(value, "retry"),
    issues: peek(value, "issues"),
  }) as FaultDetails;
  return adapter_failed.fault(ADAPTER_IDENTIFIER.test(identifier) ? { originalError: identifier } : {}, {
    ...details,
    ...(effect !== undefined && { effect }),
    ...(issues !== undefined && { issues }),
    ...(retry === undefined ? { recourse: MOVES_AFTER_IDENTIFIER } : { retry }),
  });
}

function hasBrand(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    return Reflect.getOwnPropertyDescriptor(value, ADAPTER_ERROR_BRAND)?.value === true;
  } catch {
    return false;
  }
}
