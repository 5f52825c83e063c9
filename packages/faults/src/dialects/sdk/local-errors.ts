import { peek, peekInteger, peekString } from "../../errors/peek.ts";
import { findSystemFault } from "../../errors/system-codes.ts";
import type { Fault } from "../../fault/fault.ts";
import { parseJson } from "../../json/read.ts";
import { insufficient_scope, unauthorized } from "../../reasons/library/auth.ts";
import { cancelled, internal, timeout } from "../../reasons/library/core.ts";
import { invalid_result } from "../../reasons/library/protocol.ts";
import { http_failed, not_connected, failed as transport_failed } from "../../reasons/library/transport.ts";
import { matchAbort } from "../../reasons/thrown/platform-errors.ts";
import { isSdkError, isUnauthorizedError, sdkHttpFailureOf } from "../../sdk/errors.ts";
import type { DecodeContext } from "../dialect.ts";
import { rpcErrorOf } from "../envelope.ts";
import { readProtocolError } from "./protocol-errors.ts";
import { networkRow, SDK_HTTP_STATUSES, SDK_LOCAL_ERRORS, type SdkRow } from "./table.ts";

type LocalReader = (value: unknown, context: DecodeContext) => Fault | undefined;

const IN_CLIENT = { origin: { layer: "client" }, basis: "mapped" } as const;
const IN_TRANSPORT = { origin: { layer: "transport" }, basis: "mapped" } as const;

/** Reads an error that a program caught, or its JSON, by the class of the error. */
export function readLocalError(value: unknown, context: DecodeContext): Fault | undefined {
  for (const read of LOCAL_READERS) {
    const fault = read(value, context);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const readHttp: LocalReader = (value, context) => {
  const failure = sdkHttpFailureOf(value);
  return failure && faultOfStatus(failure.status, failure.body, context);
};

/** A JSON-RPC error in the body says more than the status. No other body is quoted. */
function faultOfStatus(status: number | undefined, text: string | undefined, context: DecodeContext): Fault {
  const body = parseJson(text);
  const error = rpcErrorOf(peek(body, "error"));
  if (error !== undefined) return readProtocolError(error, context);
  const row = status === undefined ? undefined : SDK_HTTP_STATUSES[status];
  if (row !== undefined) return faultOfRow(row, { ...context, ...IN_TRANSPORT });
  const isStatus = status !== undefined && status >= 100 && status <= 599;
  return isStatus
    ? http_failed.fault({ status }, { ...context, ...IN_TRANSPORT })
    : transport_failed.fault({}, { ...context, ...IN_TRANSPORT });
}

const readAuth: LocalReader = (value, context) => {
  if (isSdkError(value, "InsufficientScopeError")) {
    const scopes = peekString(value, "requiredScope")?.split(" ");
    return insufficient_scope.fault(scopes === undefined ? {} : { scopes }, { ...context, ...IN_TRANSPORT });
  }
  return isUnauthorizedError(value) ? unauthorized.fault({}, { ...context, ...IN_TRANSPORT }) : undefined;
};

const readLocalCode: LocalReader = (value, context) => {
  const code = peek(value, "code");
  if (!isSdkError(value, "SdkError") || typeof code !== "string") return undefined;
  if (code === "REQUEST_TIMEOUT") return timeoutOrAbort(peek(value, "data"), context);
  const row = Object.hasOwn(SDK_LOCAL_ERRORS, code) ? SDK_LOCAL_ERRORS[code] : undefined;
  return faultOfRow(row ?? { reason: internal }, { ...context, ...IN_CLIENT });
};

/** An abort and a timeout share one code. Only the timeout has its limit in `data`. */
function timeoutOrAbort(data: unknown, context: DecodeContext): Fault {
  const timeoutMs = peek(data, "timeout");
  if (typeof timeoutMs !== "number") return cancelled.fault({}, { ...context, ...IN_CLIENT });
  return timeout.fault({ timeoutMs }, { ...context, ...IN_CLIENT });
}

const readProtocol: LocalReader = (value, context) => {
  const code = peekInteger(value, "code");
  const isOld = isSdkError(value, "McpError");
  if (code === undefined || !(isOld || isSdkError(value, "ProtocolError"))) return undefined;
  const message = peekString(value, "message");
  const data = peek(value, "data");
  // Version 1 gives its own timeouts and aborts the class of server errors.
  const mayBeLocal = isOld && code === -32001;
  if (mayBeLocal && typeof peek(data, "timeout") === "number") return timeoutOrAbort(data, context);
  if (mayBeLocal && message?.includes("AbortError") === true) return timeoutOrAbort(undefined, context);
  return readProtocolError({ code, message, data }, context);
};

const readPlain: LocalReader = (value, context) => {
  const name = peekString(value, "name");
  if (name === "Error" && peekString(value, "message") === "Not connected") {
    return not_connected.fault({}, { ...context, ...IN_CLIENT });
  }
  // A reply that is not JSON, or not a JSON-RPC message: the SDK throws the error of its parser.
  if (name === "ZodError" || name === "$ZodError" || name === "SyntaxError") {
    return invalid_result.fault({}, { ...context, ...IN_CLIENT, basis: "guessed" });
  }
  return matchAbort(value)?.({ ...context, ...IN_CLIENT });
};

/** A failure below `fetch`. */
const readNetwork: LocalReader = (value, context) => {
  const failure = findSystemFault(value);
  const row = failure === undefined ? undefined : networkRow(failure);
  if (row !== undefined) return faultOfRow(row, { ...context, ...IN_TRANSPORT });
  const isFetchError = peekString(value, "name") === "TypeError" && peekString(value, "message") === "fetch failed";
  return isFetchError ? transport_failed.fault({}, { ...context, ...IN_TRANSPORT }) : undefined;
};

function faultOfRow({ reason, effect }: SdkRow, options: object): Fault {
  return reason.fault({}, effect === undefined ? options : { ...options, effect });
}

const LOCAL_READERS: readonly LocalReader[] = [readHttp, readAuth, readLocalCode, readProtocol, readPlain, readNetwork];
