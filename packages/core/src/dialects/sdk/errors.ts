import { peek, peekInteger, peekString } from "../../errors/peek.ts";
import { findSystemFault, readAbort, type SystemFailure, type SystemFault } from "../../errors/system-codes.ts";
import type { Fault } from "../../fault/fault.ts";
import type { Effect } from "../../fault/kinds.ts";
import { STATUS_MEANINGS } from "../../reasons/http/statuses.ts";
import { insufficient_scope, not_authorized, unauthorized } from "../../reasons/library/auth.ts";
import { cancelled, internal, misconfigured, timeout } from "../../reasons/library/core.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import * as transport from "../../reasons/library/transport.ts";
import { hasTimeoutLimit, isSdkError, isUnauthorizedError, sdkHttpFailure } from "../../sdk/errors.ts";
import { memberAt, parseJson } from "../../wire/json.ts";
import { FAULT_KEY } from "../../wire/names.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { asRpcError, hasOnly, REPLY_MEMBERS, type RpcError } from "../envelope.ts";
import { readPeerFault } from "../peer-fault.ts";
import { readRpcError, stripCodePrefix } from "../rpc.ts";
import { matchSentence } from "../sentence.ts";
import { SDK_PATTERNS } from "./patterns.ts";

/** A reason. `effect` overrides the effect of the reason. */
export interface SdkRow {
  readonly reason: TableReason;
  readonly effect?: Effect;
}

/** Codes of local errors in version 2. `REQUEST_TIMEOUT` is missing, because its data decides what it means. */
export const SDK_LOCAL_ERRORS: Readonly<Record<string, SdkRow>> = {
  NOT_CONNECTED: { reason: transport.not_connected },
  ALREADY_CONNECTED: { reason: internal, effect: "none" },
  NOT_INITIALIZED: { reason: protocol.not_initialized },
  CAPABILITY_NOT_SUPPORTED: { reason: protocol.capability_not_supported },
  CONNECTION_CLOSED: { reason: transport.connection_lost },
  SEND_FAILED: { reason: transport.failed },
  INVALID_RESULT: { reason: protocol.invalid_result },
  UNSUPPORTED_RESULT_TYPE: { reason: protocol.invalid_result },
  // Only lists have pages, and listing changes nothing.
  LIST_PAGINATION_EXCEEDED: { reason: protocol.invalid_result, effect: "none" },
  INPUT_REQUIRED_ROUNDS_EXCEEDED: { reason: protocol.rounds_exceeded },
  METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION: { reason: protocol.method_not_found },
  ERA_NEGOTIATION_FAILED: { reason: protocol.negotiation_failed },
  CLIENT_HTTP_NOT_IMPLEMENTED: { reason: transport.failed },
  CLIENT_HTTP_AUTHENTICATION: { reason: unauthorized },
  CLIENT_HTTP_FORBIDDEN: { reason: not_authorized },
  CLIENT_HTTP_UNEXPECTED_CONTENT: { reason: protocol.invalid_result },
  CLIENT_HTTP_FAILED_TO_OPEN_STREAM: { reason: transport.failed },
  CLIENT_HTTP_FAILED_TO_TERMINATE_SESSION: { reason: transport.failed },
};

/** The reason of each failure below `fetch`. */
const NETWORK_FAILURES: Readonly<Record<SystemFailure, SdkRow | undefined>> = {
  unknown_host: { reason: transport.unreachable },
  unreachable: { reason: transport.unreachable },
  certificate: { reason: misconfigured, effect: "none" },
  tls: { reason: misconfigured, effect: "possible" },
  lost: { reason: transport.connection_lost },
  failed: { reason: transport.failed },
  timeout: { reason: timeout },
  cancelled: { reason: cancelled },
  closed: { reason: transport.connection_lost },
  overloaded: { reason: transport.failed },
  storage: { reason: transport.failed },
  bad_reply: { reason: protocol.invalid_result },
  reply_too_large: { reason: protocol.invalid_result },
  bad_call: { reason: internal, effect: "none" },
};

/** Returns the row of a failure below `fetch`. Only a request that was never sent surely had no effect. */
function networkRow({ failure, unsent }: SystemFault): SdkRow | undefined {
  const row = NETWORK_FAILURES[failure];
  if (row?.reason === timeout && unsent) return { reason: transport.unreachable };
  return row?.reason === transport.unreachable && !unsent ? { reason: transport.connection_lost } : row;
}

/** Reads a JSON-RPC error that came through the SDK: the fault in it, a fixed sentence, or the meaning of its code. */
export function readProtocolError(error: RpcError, context: DecodeContext): Fault {
  return (
    readSdkSentence(error, context) ?? readRpcError({ ...error, message: withoutCodePrefix(error.message) }, context)
  );
}

/** Reads the fault in a JSON-RPC error, or a sentence that only the SDK writes; undefined for any other error. */
export function readSdkSentence(error: RpcError, context: DecodeContext): Fault | undefined {
  const embedded = readPeerFault(memberAt(error.data, FAULT_KEY), context);
  if (embedded !== undefined) return embedded;
  const text = withoutCodePrefix(error.message);
  return text === undefined ? undefined : matchSentence(SDK_PATTERNS, { text, code: error.code }, context);
}

function withoutCodePrefix(message: string | undefined): string | undefined {
  return message === undefined ? undefined : stripCodePrefix(message).text;
}

/** Checks whether the SDK itself wrote the message of an error, so that it contains no text of a handler. */
export function isSdkSentence(error: unknown): boolean {
  const code = peekInteger(error, "code");
  const { text } = stripCodePrefix(peekString(error, "message") ?? "");
  return SDK_PATTERNS.some(
    ({ pattern, codes }) => pattern.test(text) && (codes === undefined || codes.includes(code ?? 0)),
  );
}

/** Checks whether the server sent an error. The SDK's client creates errors of the same class itself. */
export function isServerError(error: unknown): boolean {
  const code = peekInteger(error, "code");
  const isOld = isSdkError(error, "McpError");
  if (code === undefined || !(isOld || isSdkError(error, "ProtocolError"))) return false;
  // Version 1 gives its own timeouts, aborts and closed connections codes that servers use too.
  const { text } = stripCodePrefix(peekString(error, "message") ?? "");
  const isLocal =
    code === -32001 ? hasTimeoutLimit(error) || text.includes("AbortError") : text === "Connection closed";
  return !(isOld && isLocal);
}

type LocalReader = (value: unknown, context: DecodeContext) => Fault | undefined;

const IN_CLIENT = { origin: { layer: "client" }, basis: "mapped" } as const;
const IN_TRANSPORT = { origin: { layer: "transport" }, basis: "mapped" } as const;

export function readLocalError(value: unknown, context: DecodeContext): Fault | undefined {
  // A reply is not an error, and has nothing that the readers look at.
  if (hasOnly(value, REPLY_MEMBERS)) return undefined;
  for (const read of LOCAL_READERS) {
    const fault = read(value, context);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const readHttp: LocalReader = (value, context) => {
  const failure = sdkHttpFailure(value);
  return failure && faultOfStatus(failure.status, failure.body, context);
};

/** A JSON-RPC error in the body says more than the status. No other body is quoted. */
function faultOfStatus(status: number | undefined, text: string | undefined, context: DecodeContext): Fault {
  const body = parseJson(text);
  const error = asRpcError(peek(body, "error"));
  if (error !== undefined) return readProtocolError(error, context);
  const reason = status === undefined ? undefined : STATUS_MEANINGS[status]?.server;
  if (reason !== undefined) return reason.fault({}, { ...context, ...IN_TRANSPORT });
  const isStatus = status !== undefined && status >= 100 && status <= 599;
  return isStatus
    ? transport.http_failed.fault({ status }, { ...context, ...IN_TRANSPORT })
    : transport.failed.fault({}, { ...context, ...IN_TRANSPORT });
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
    return transport.not_connected.fault({}, { ...context, ...IN_CLIENT });
  }
  // A reply that is not JSON, or not a JSON-RPC message: the SDK throws the error of its parser.
  if (name === "ZodError" || name === "$ZodError" || name === "SyntaxError") {
    return protocol.invalid_result.fault({}, { ...context, ...IN_CLIENT, basis: "guessed" });
  }
  const ended = readAbort(value);
  return ended && (ended === "abort" ? cancelled : timeout).fault({}, { ...context, ...IN_CLIENT });
};

/** A failure below `fetch`. */
const readNetwork: LocalReader = (value, context) => {
  const failure = findSystemFault(value);
  const row = failure === undefined ? undefined : networkRow(failure);
  if (row !== undefined) return faultOfRow(row, { ...context, ...IN_TRANSPORT });
  const isFetchError = peekString(value, "name") === "TypeError" && peekString(value, "message") === "fetch failed";
  return isFetchError ? transport.failed.fault({}, { ...context, ...IN_TRANSPORT }) : undefined;
};

function faultOfRow({ reason, effect }: SdkRow, options: object): Fault {
  return reason.fault({}, effect === undefined ? options : { ...options, effect });
}

const LOCAL_READERS: readonly LocalReader[] = [readHttp, readAuth, readLocalCode, readProtocol, readPlain, readNetwork];
