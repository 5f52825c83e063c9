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
import { classNameOf, peek, peekInteger, peekString } from "./peek.ts";
import { type Build, plain, type Recogniser } from "./recogniser.ts";

/** JSON-RPC codes that mean the same in every revision of the protocol. */
const PROTOCOL_CODES: Readonly<Record<number, Build>> = {
  [-32700]: plain(parse_error),
  [-32600]: plain(invalid_request),
  [-32601]: plain(method_not_found),
  [-32602]: plain(invalid_params),
  [-32603]: plain(internal),
  [-32002]: plain(resource_not_found),
  [-32020]: plain(header_mismatch),
  [-32021]: plain(missing_client_capability),
  [-32022]: plain(version_unsupported),
  [-32042]: plain(url_required),
};

/** Version 1 of the SDK marks its local failures with integers of the legacy range. */
const V1_LOCAL: Readonly<Record<number, Build>> = { [-32000]: plain(failed), [-32001]: plain(timeout) };

/** Version 2 of the SDK names its local failures. */
const V2_LOCAL: Readonly<Record<string, Build>> = {
  NOT_CONNECTED: plain(not_connected),
  NOT_INITIALIZED: plain(not_initialized),
  CAPABILITY_NOT_SUPPORTED: plain(capability_not_supported),
  CONNECTION_CLOSED: plain(connection_lost),
  SEND_FAILED: plain(failed),
  INVALID_RESULT: plain(invalid_result),
  UNSUPPORTED_RESULT_TYPE: plain(invalid_result),
  LIST_PAGINATION_EXCEEDED: plain(invalid_result),
  INPUT_REQUIRED_ROUNDS_EXCEEDED: plain(rounds_exceeded),
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: plain(method_not_found),
  ERA_NEGOTIATION_FAILED: plain(negotiation_failed),
};

/** What an HTTP status from a server behind this one means here: its refusal of our credentials is our set-up. */
function byStatus(status: number): Build {
  if (status === 401 || status === 403) return plain(misconfigured);
  if (status === 429) return plain(rate_limited);
  if (status === 503) return plain(unavailable);
  return plain(status === 408 || status === 504 ? timeout : upstream_failed);
}

const BRANDS = Symbol.for("mcp.sdk.errorBrands");

/** The SDK's own classes: branded in version 2, named in version 1. */
function isSdk(value: unknown, name: string): boolean {
  if (peekString(value, "name") === name) return true;
  const brands = peek(value, BRANDS);
  // Nearly every error has none, and asking first is much cheaper than a refusal.
  if (typeof brands !== "object" || brands === null) return false;
  try {
    return Set.prototype.has.call(brands, `mcp.${name}`);
  } catch {
    // No set, or only a proxy of one.
    return false;
  }
}

/** Errors of the official SDK, version 1 and 2, by class and code. */
export const recogniseSdk: Recogniser = (value) => {
  const code = peek(value, "code");
  if (isSdk(value, "SdkHttpError")) return byStatus(peekInteger(peek(value, "data"), "status") ?? 0);
  if (isSdk(value, "SdkError") && typeof code === "string") {
    // An abort and a timeout share one code; only the timeout carries its limit.
    if (code === "REQUEST_TIMEOUT") return plain(hasTimeout(value) ? timeout : cancelled);
    return (Object.hasOwn(V2_LOCAL, code) ? V2_LOCAL[code] : undefined) ?? plain(internal);
  }
  // It shares its code with every other wrong parameter.
  if (isSdk(value, "ResourceNotFoundError")) return plain(resource_not_found);
  if (isSdk(value, "ProtocolError") && typeof code === "number") return PROTOCOL_CODES[code] ?? plain(internal);
  if (peekString(value, "name") === "McpError" && typeof code === "number") {
    return PROTOCOL_CODES[code] ?? V1_LOCAL[code] ?? plain(internal);
  }
  const name = classNameOf(value);
  if (name === "StreamableHTTPError" || name === "SseError") return byStatus(typeof code === "number" ? code : 0);
  return name === "UnauthorizedError" ? plain(misconfigured) : undefined;
};

function hasTimeout(value: unknown): boolean {
  return typeof peek(peek(value, "data"), "timeout") === "number";
}
