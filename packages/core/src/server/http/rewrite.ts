import { asRpcError, type RpcError } from "../../dialects/envelope.ts";
import { http } from "../../dialects/http/dialect.ts";
import { markDecoded } from "../../dialects/peer-fault.ts";
import { faultOfRpcCode } from "../../dialects/rpc.ts";
import { isSdkSentence } from "../../dialects/sdk/errors.ts";
import type { Fault, Issue } from "../../fault/fault.ts";
import { isFault, readOwnFault } from "../../fault/read.ts";
import { edgeStatusFault } from "../../reasons/http/statuses.ts";
import { insufficient_scope } from "../../reasons/library/auth.ts";
import { internal, not_found } from "../../reasons/library/core.ts";
import * as protocol from "../../reasons/library/protocol.ts";
import { headerIssues, paramIssues, requestedVersion } from "../../wire/headers.ts";
import { memberAt, parseJson } from "../../wire/json.ts";
import { messageIssues } from "../../wire/message.ts";
import { FAULT_KEY } from "../../wire/names.ts";
import { LATEST_REVISION, type Revision } from "../../wire/revisions.ts";
import { bareFault, wasSentHere } from "../release.ts";
import {
  type EdgeExchange,
  type EdgeRefusal,
  exchangeMessage,
  exchangeMethod,
  readStream,
  receivedMessage,
} from "./exchange.ts";
import { readChallenge, writeChallenge } from "./respond.ts";

const MAX_HANDLER_ERROR = 262_144;
const MAX_READ_MS = 5_000;
/** Codes that mean the same wherever they stand; other codes of a handler say nothing by themselves. */
const KNOWN_CODES = [-32700, -32600, -32601, -32602, -32020, -32021, -32022];
/** Codes that only the newest revision has: a handler that uses one takes its client for one of that revision. */
const NEWEST_ONLY = [-32020, -32021, -32022];

interface ErrorReply {
  readonly status: number;
  readonly response: Response;
  readonly body: unknown;
  readonly error: RpcError | undefined;
  readonly exchange: EdgeExchange;
}

/** Statuses whose headers and body say more about time and limits. */
const TIMED_STATUSES = [408, 429, 503, 504];

/** Headers of the handler that a rewritten answer keeps: what programs read, nothing with free text in it. */
const KEPT_HEADERS =
  /^(?:allow|vary|strict-transport-security|x-content-type-options|mcp-session-id|mcp-protocol-version|access-control-.*)$/;
/** A wait in seconds, or until a date. */
const WAIT_VALUE = /^(?:\d{1,9}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT)$/;

/** A handler's answer of an error as it is sent: it becomes a fault without foreign text, everything else stays as it is. */
export async function rewrite(
  response: Response,
  exchange: EdgeExchange,
): Promise<
  { readonly response: Response } | { readonly refusal: EdgeRefusal; readonly revision: Revision | undefined }
> {
  const text = await readErrorText(response);
  const body = parseJson(text);
  // What a guarded server of this process wrote in a dialect is already as it has to be.
  if (wasSentHere(memberAt(body, "error"))) return { response: passedOn(text, response, exchange) };
  const error = asRpcError(memberAt(body, "error"));
  const { status } = response;
  const reply: ErrorReply = { status, response, body, error, exchange };
  const sent = memberAt(error?.data, FAULT_KEY) ?? memberAt(body, "fault");
  const isTrusted = exchange.options.speaksFaults === true || wasSentHere(sent);
  const stated = isTrusted ? readOwnFault(sent) : undefined;
  const fault = stated ?? handlerFault(reply, sent);
  const challenge = writeChallenge(
    fault,
    exchange.options.auth ?? {},
    readChallenge(response.headers.get("www-authenticate")),
  );
  return {
    refusal: {
      fault,
      status,
      headers: { ...relayedHeaders(response), ...(challenge !== undefined && { "www-authenticate": challenge }) },
      foreign: true,
      ...(stated === undefined && { cause: `HTTP ${status}: ${text}`, textHidden: losesText(reply) }),
    },
    revision: NEWEST_ONLY.includes(error?.code ?? 0) ? LATEST_REVISION : undefined,
  };
}

function passedOn(text: string, response: Response, { options }: EdgeExchange): Response {
  const { status } = response;
  const own = { "content-type": "application/json", "cache-control": "no-store", ...options.headers };
  return new Response(text, { status, headers: { ...own, ...relayedHeaders(response) } });
}

/** Whether the caller loses a sentence: of an MCP error whose code does not already say as much, and not of the SDK's own. */
function losesText({ status, error }: ErrorReply): boolean {
  if (error === undefined || status === 401 || status === 403 || KNOWN_CODES.includes(error.code)) return false;
  return !isSdkSentence(error);
}

function handlerFault(reply: ErrorReply, sent: unknown): Fault {
  const { status, error, exchange } = reply;
  // Of a fault that another program may have sent, kind and wait are believed.
  if (status !== 401 && status !== 403 && isFault(sent)) return decodeReply({ ...reply, body: { fault: sent } });
  if (TIMED_STATUSES.includes(status)) return decodeReply(reply);
  const { insufficient, scopes } = readChallenge(reply.response.headers.get("www-authenticate"));
  if (status === 403 && insufficient) return insufficient_scope.fault(scopes === undefined ? {} : { scopes });
  // What these say holds whatever the body says.
  const byStatus = edgeStatusFault(status, { actualSize: exchange.bytes?.length });
  if (byStatus !== undefined) return byStatus;
  if (status >= 500) return internal.fault();
  if (error?.code === -32001) return protocol.session_not_found.fault();
  if (error !== undefined && KNOWN_CODES.includes(error.code)) return byCode(error, exchange);
  return unservedVersion(reply) ?? (status === 404 ? not_found.fault() : protocol.bad_request.fault());
}

/** The sentence of the SDK for a version that stands in the header alone; it has no code of its own for that. */
const UNSERVED_VERSION =
  /^Bad Request: Unsupported protocol version: .{0,99} \(supported versions: ([\d, -]{1,300})\)$/;

function unservedVersion({ error, exchange }: ErrorReply): Fault | undefined {
  const supported = UNSERVED_VERSION.exec(error?.message ?? "")?.[1]?.split(", ");
  const requested = requestedVersion(receivedMessage(exchange));
  if (supported === undefined || typeof requested !== "string") return undefined;
  return protocol.version_unsupported.fault({ requested, supported });
}

function byCode(error: RpcError, exchange: EdgeExchange): Fault {
  if (error.code === -32601) {
    const method = exchangeMethod(exchange);
    return protocol.method_not_found.fault(method === undefined ? {} : { method });
  }
  if (error.code === -32602) return protocol.invalid_params.fault({}, found(paramIssues(receivedMessage(exchange))));
  const issues = error.code === -32600 ? messageIssues(exchangeMessage(exchange)) : undefined;
  if (issues !== undefined) return protocol.invalid_request.fault({}, found(issues));
  if (error.code === -32020) return protocol.header_mismatch.fault({}, found(headerIssues(receivedMessage(exchange))));
  return bareFault(markDecoded(faultOfRpcCode(error)), requestedVersion(receivedMessage(exchange)));
}

function found(issues: readonly Issue[]): { readonly issues?: readonly Issue[] } {
  return issues.length === 0 ? {} : { issues };
}

/** Reads what a status and its headers say about time and limits. */
function decodeReply({ status, response, body }: ErrorReply): Fault {
  const headers = Object.fromEntries(response.headers);
  const fault = http.decode({ status, headers, body });
  return fault === undefined ? internal.fault() : bareFault(fault);
}

async function readErrorText(response: Response): Promise<string> {
  try {
    const bytes = await readStream(response.body, { max: MAX_HANDLER_ERROR, ms: MAX_READ_MS });
    return bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : "";
  } catch {
    return "";
  }
}

function relayedHeaders(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(isRelayedHeader));
}

function isRelayedHeader([name, value]: [string, string]): boolean {
  return KEPT_HEADERS.test(name) || (name === "retry-after" && WAIT_VALUE.test(value));
}
