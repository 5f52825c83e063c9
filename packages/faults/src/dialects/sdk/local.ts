import type { Fault } from "../../fault/fault.ts";
import { insufficient_scope, unauthorized } from "../../reasons/library/auth.ts";
import { cancelled, internal, timeout } from "../../reasons/library/core.ts";
import { invalid_result } from "../../reasons/library/protocol.ts";
import { http_failed, not_connected, failed as transport_failed } from "../../reasons/library/transport.ts";
import { recogniseAbort } from "../../reasons/unknown/abort.ts";
import { classNameOf, peek, peekInteger, peekString } from "../../reasons/unknown/peek.ts";
import type { DecodeContext } from "../dialect.ts";
import { parseJson, rpcErrorOf } from "../wire.ts";
import { isSdk } from "./classes.ts";
import { readProtocolError } from "./protocol.ts";
import { LOCAL, NETWORK, type Row, STATUS } from "./table.ts";

type Read = (value: unknown, context: DecodeContext) => Fault | undefined;

const CLIENT = { origin: { layer: "client" }, basis: "mapped" } as const;
const TRANSPORT = { origin: { layer: "transport" }, basis: "mapped" } as const;

/** Errors that a program finds in its catch clause, or their JSON, each by its class. */
export function readLocal(value: unknown, context: DecodeContext): Fault | undefined {
  for (const read of READERS) {
    const fault = read(value, context);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const readHttp: Read = (value, context) => {
  if (isSdk(value, "SdkHttpError")) {
    const data = peek(value, "data");
    return byStatus(peekInteger(data, "status"), peekString(data, "text"), context);
  }
  const name = classNameOf(value);
  if (name !== "StreamableHTTPError" && name !== "SseError") return undefined;
  const message = peekString(value, "message") ?? "";
  const body = message.indexOf("{");
  return byStatus(peekInteger(value, "code"), body < 0 ? undefined : message.slice(body), context);
};

/** A body that is an error of JSON-RPC says more than the status; other bodies are nobody's to quote. */
function byStatus(status: number | undefined, text: string | undefined, context: DecodeContext): Fault {
  const body = parseJson(text);
  const error = rpcErrorOf(peek(body, "error"));
  if (error !== undefined) return readProtocolError(error, context);
  const row = status === undefined ? undefined : STATUS[status];
  if (row !== undefined) return built(row, { ...context, ...TRANSPORT });
  const answered = status !== undefined && status >= 100 && status <= 599;
  return answered
    ? http_failed.fault({ status }, { ...context, ...TRANSPORT })
    : transport_failed.fault({}, { ...context, ...TRANSPORT });
}

const readAuth: Read = (value, context) => {
  if (isSdk(value, "InsufficientScopeError")) {
    const scopes = peekString(value, "requiredScope")?.split(" ");
    return insufficient_scope.fault(scopes === undefined ? {} : { scopes }, { ...context, ...TRANSPORT });
  }
  return isUnauthorized(value) ? unauthorized.fault({}, { ...context, ...TRANSPORT }) : undefined;
};

/** The SDK's word to its host that somebody has to sign in. */
export function isUnauthorized(value: unknown): boolean {
  return isSdk(value, "UnauthorizedError") || classNameOf(value) === "UnauthorizedError";
}

const readLocalCode: Read = (value, context) => {
  const code = peek(value, "code");
  if (!isSdk(value, "SdkError") || typeof code !== "string") return undefined;
  if (code === "REQUEST_TIMEOUT") return timeoutOf(peek(value, "data"), context);
  const row = Object.hasOwn(LOCAL, code) ? LOCAL[code] : undefined;
  return built(row ?? { reason: internal }, { ...context, ...CLIENT });
};

/** An abort and a timeout share one code; only the timeout carries its limit. */
function timeoutOf(data: unknown, context: DecodeContext): Fault {
  const timeoutMs = peek(data, "timeout");
  if (typeof timeoutMs !== "number") return cancelled.fault({}, { ...context, ...CLIENT });
  return timeout.fault({ timeoutMs }, { ...context, ...CLIENT });
}

const readProtocol: Read = (value, context) => {
  const code = peekInteger(value, "code");
  const old = isSdk(value, "McpError");
  if (code === undefined || !(old || isSdk(value, "ProtocolError"))) return undefined;
  const message = peekString(value, "message");
  const data = peek(value, "data");
  // Version 1 writes its own timeouts and aborts like errors of the server.
  const ofClock = old && code === -32001;
  if (ofClock && typeof peek(data, "timeout") === "number") return timeoutOf(data, context);
  if (ofClock && message?.includes("AbortError") === true) return timeoutOf(undefined, context);
  return readProtocolError({ code, message, data }, context);
};

const readPlain: Read = (value, context) => {
  const name = peekString(value, "name");
  if (name === "Error" && peekString(value, "message") === "Not connected") {
    return not_connected.fault({}, { ...context, ...CLIENT });
  }
  // An answer that is no JSON, or no message: the SDK lets its parsers' errors through as they are.
  if (name === "ZodError" || name === "$ZodError" || name === "SyntaxError") {
    return invalid_result.fault({}, { ...context, ...CLIENT, basis: "guessed" });
  }
  return recogniseAbort(value)?.({ ...context, ...CLIENT });
};

/** `fetch` hides what happened in the causes of its TypeError. */
const readNetwork: Read = (value, context) => {
  let at = value;
  for (let depth = 0; depth < 5; depth++) {
    const code = peekString(at, "code");
    if (code !== undefined && Object.hasOwn(NETWORK, code)) {
      const early = code === "ETIMEDOUT" && peekString(at, "syscall") === "connect";
      return built(NETWORK[early ? "UND_ERR_CONNECT_TIMEOUT" : code] as Row, { ...context, ...TRANSPORT });
    }
    at = peek(at, "cause");
  }
  const fetched = peekString(value, "name") === "TypeError" && peekString(value, "message") === "fetch failed";
  return fetched ? transport_failed.fault({}, { ...context, ...TRANSPORT }) : undefined;
};

function built({ reason, effect }: Row, rest: object): Fault {
  return reason.fault({}, effect === undefined ? rest : { ...rest, effect });
}

const READERS: readonly Read[] = [readHttp, readAuth, readLocalCode, readProtocol, readPlain, readNetwork];
