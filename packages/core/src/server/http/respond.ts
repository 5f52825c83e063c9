import { http } from "../../dialects/http/dialect.ts";
import { isInstance, peek, peekInteger, peekString } from "../../errors/peek.ts";
import { redactSecrets, stampFault } from "../../fault/amend.ts";
import type { Fault } from "../../fault/fault.ts";
import { KINDS, knownKind } from "../../fault/kinds.ts";
import { shouldReport } from "../../fault/severity.ts";
import { incidentCause } from "../../incidents/describe-cause.ts";
import { deliverIncident } from "../../incidents/incident.ts";
import { stderrSink } from "../../incidents/sinks.ts";
import { edgeStatusFault } from "../../reasons/http/statuses.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import { timeout } from "../../reasons/library/core.ts";
import { bad_request, invalid_request, parse_error } from "../../reasons/library/protocol.ts";
import { type ConvertedError, convertThrown } from "../../reasons/thrown/to-fault.ts";
import { credentialFilter, isCredentialHeader } from "../../sdk/context.ts";
import { toClock } from "../../wire/clock.ts";
import { prefersProblem, revisionFor } from "../../wire/headers.ts";
import { formatId, randomBytes } from "../../wire/ids.ts";
import { stringAt } from "../../wire/json.ts";
import { hasResultTypes, type Revision } from "../../wire/revisions.ts";
import { NESTED_TOO_DEEPLY } from "../node/web.ts";
import type { DialectRequest } from "../options.ts";
import { releaseFault, rememberSent } from "../release.ts";
import { EDGE_REQUEST, foreignTextFor, type WireForm } from "../replies/dialect-choice.ts";
import { describeAnswer, writeEdgeError, writeInDialect } from "../replies/write-reply.ts";
import { serverOrigin } from "../reporter.ts";
import {
  type EdgeExchange,
  type EdgeRefusal,
  exchangeId,
  exchangeMeta,
  exchangeMethod,
  exchangeTool,
  lastEdgeAnswer,
  receivedMessage,
} from "./exchange.ts";
import type { HandlerAuthOptions, HandlerOptions } from "./options.ts";

/** What may stand between the quotation marks of a parameter. */
const PARAMETER = /^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/;

/** What a challenge says: where to get a token, and for which scopes. */
export interface Challenge {
  /** What tokens are for. A host that reads that they are API keys need not look for a place to sign in. */
  readonly realm?: string | undefined;
  /** URL of the OAuth protected resource metadata. */
  readonly resourceMetadata?: string | undefined;
  /** The scopes that a client should ask for. */
  readonly scopes?: readonly string[] | undefined;
}

/** `WWW-Authenticate` for a fault; undefined if it needs none. It never says why credentials were refused. */
export function writeChallenge(
  fault: Fault,
  options: Pick<HandlerAuthOptions, "resourceMetadata" | "scopes">,
  given: Challenge = {},
): string | undefined {
  const resourceMetadata = given.resourceMetadata ?? options.resourceMetadata;
  if (knownKind(fault) === "unauthenticated") {
    return writeBearer({
      realm: given.realm,
      scope: joinScopes(given.scopes ?? options.scopes),
      resource_metadata: safeParameter(resourceMetadata),
    });
  }
  if (fault.reason !== "auth/insufficient_scope") return undefined;
  const missing = fault.params?.["scopes"];
  const scopes = given.scopes ?? (Array.isArray(missing) ? missing : []);
  return writeBearer({
    error: "insufficient_scope",
    scope: joinScopes(scopes),
    resource_metadata: safeParameter(resourceMetadata),
  });
}

export function readChallenge(header: string | null): Challenge & { readonly insufficient: boolean } {
  const params = new Map<string, string>();
  for (const [, key = "", value = ""] of (header ?? "").slice(0, 4_096).matchAll(/([a-z_]{1,32})="([^"\\]{0,512})"/g)) {
    if (!params.has(key)) params.set(key, value);
  }
  return {
    insufficient: params.get("error") === "insufficient_scope",
    resourceMetadata: params.get("resource_metadata"),
    scopes: params.get("scope")?.split(" "),
  };
}

function writeBearer(params: Readonly<Record<string, string | undefined>>): string {
  const shown = Object.entries(params).filter(([, value]) => value !== undefined);
  return ["Bearer", shown.map(([key, value]) => `${key}="${value}"`).join(", ")].join(" ").trimEnd();
}

function joinScopes(scopes: readonly unknown[] | undefined): string | undefined {
  const shown = (scopes ?? []).filter((scope) => typeof scope === "string" && PARAMETER.test(scope));
  return shown.length === 0 ? undefined : shown.slice(0, 20).join(" ");
}

function safeParameter(value: string | undefined): string | undefined {
  return value !== undefined && PARAMETER.test(value) ? value : undefined;
}

/** Statuses that say more than the kind does; some are fixed by HTTP, some by the protocol. */
const STATUS: Readonly<Record<string, number>> = {
  "protocol/http_method": 405,
  "content/invalid_type": 415,
  "content/message_too_large": 413,
  "protocol/method_not_found": 404,
  "protocol/session_not_found": 404,
  "protocol/invalid_params": 400,
  "protocol/missing_client_capability": 400,
  "protocol/version_unsupported": 400,
};

/** The HTTP status of a message that was refused before any handler saw it. */
export function edgeStatus(fault: Fault): number {
  return STATUS[fault.reason] ?? KINDS[knownKind(fault)].httpStatus;
}

/** Ends an exchange: stamps the fault, reports it if it is an incident, and writes the response. It never throws. */
export function respond(refusal: EdgeRefusal, exchange: EdgeExchange, revision?: Revision): Response {
  try {
    return writeAnswer(refusal, exchange, revision ?? revisionFor(receivedMessage(exchange)));
  } catch {
    return lastEdgeAnswer();
  }
}

function writeAnswer(refusal: EdgeRefusal, exchange: EdgeExchange, revision: Revision): Response {
  const { options } = exchange;
  const { fault, textHidden } = checkedFault(refusal, exchange);
  const isReported = isEdgeIncident(fault, textHidden, exchange);
  const now = toClock(options.testing).now();
  const out = stampFault(fault, {
    incident: isReported ? (options.testing?.createId?.() ?? formatId(now, randomBytes())) : undefined,
    at: fault.at ?? new Date(now).toISOString(),
    trace: fault.trace ?? exchangeTrace(exchange),
    docsBase: options.docsBase,
    origin: serverOrigin(fault, options.name),
  });
  const call = callAnswer(out, refusal, exchange, revision);
  const status = call === undefined ? (refusal.status ?? edgeStatus(refusal.fault)) : 200;
  const answer = call ?? encode(out, status, exchange, revision);
  rememberSent(out);
  if (isReported) reportRefusal(out, answer, refusal, exchange, now);
  const challenge = refusal.headers?.["www-authenticate"] ?? writeChallenge(out, options.auth ?? {});
  const headers = new Headers({
    "cache-control": "no-store",
    ...options.headers,
    ...refusal.headers,
    ...answer.headers,
  });
  if (challenge !== undefined) headers.set("www-authenticate", challenge);
  return new Response(answer.body, { status, headers });
}

/** Refused credentials are one constant fault, whatever refused them and why. */
function checkedFault({ fault, foreign, textHidden = false }: EdgeRefusal, exchange: EdgeExchange): ConvertedError {
  const { request, options } = exchange;
  if (knownKind(fault) === "unauthenticated") return { fault: unauthorized.fault(), textHidden };
  if (foreign !== true) return { fault, textHidden };
  const secrets = exchangeSecrets(request);
  const foreignText = foreignTextFor(options, edgeRequest(exchange));
  const released = releaseFault(fault, { foreignText, allow: options.allow, secrets });
  return { fault: redactSecrets(released.fault, secrets), textHidden: textHidden || released.textHidden };
}

/** A fault that has an incident was reported at its source. The answer to refused credentials does not mention a report. */
function isEdgeIncident(fault: Fault, textHidden: boolean, { options }: EdgeExchange): boolean {
  if (fault.incident !== undefined) return false;
  if (options.reportCallerErrors === true) return true;
  return knownKind(fault) !== "unauthenticated" && shouldReport(fault, { textHidden });
}

interface EdgeAnswer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON-RPC error, if the answer is one. */
  readonly error?: WireForm;
}

/** Headers that only a problem document has, or that are written elsewhere. */
const PROBLEM_HEADERS = new Set(["content-type", "www-authenticate"]);

/** The result that answers a refused call; undefined if it is answered with an error. */
function callAnswer(
  fault: Fault,
  { callId }: EdgeRefusal,
  { options }: EdgeExchange,
  revision: Revision,
): EdgeAnswer | undefined {
  if (callId === undefined) return undefined;
  const { dialect, docsBase } = options;
  const request = { method: "tools/call", meta: {} };
  const wire = writeInDialect(fault, dialect, request, { method: "tools/call", docsBase });
  if (wire?.result === undefined) return undefined;
  // A result of the newer era says of which type it is.
  const result = { ...(hasResultTypes(revision) && { resultType: "complete" }), ...wire.result };
  const body = JSON.stringify({ jsonrpc: "2.0", id: callId, result });
  return { body, headers: { "content-type": "application/json" } };
}

function encode(fault: Fault, status: number, exchange: EdgeExchange, revision: Revision): EdgeAnswer {
  const problem = http.encode(fault, { docsBase: exchange.options.docsBase });
  const facts = Object.fromEntries(Object.entries(problem.headers).filter(([name]) => !PROBLEM_HEADERS.has(name)));
  if (prefersProblem(exchange.request.headers.get("accept"))) {
    const headers = { ...facts, "content-type": "application/problem+json" };
    return { body: JSON.stringify({ ...problem.body, status }), headers };
  }
  const error = writeEdgeError(fault, exchange.options, { request: edgeRequest(exchange), revision });
  const id = exchangeId(exchange);
  const body = JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
  return { body, headers: { ...facts, "content-type": "application/json" }, error };
}

function edgeRequest(exchange: EdgeExchange): DialectRequest {
  return { method: exchangeMethod(exchange) ?? EDGE_REQUEST.method, meta: exchangeMeta(exchange) ?? EDGE_REQUEST.meta };
}

function reportRefusal(
  fault: Fault,
  { error }: EdgeAnswer,
  { cause }: EdgeRefusal,
  exchange: EdgeExchange,
  now: number,
): void {
  const method = exchangeMethod(exchange);
  const tool = exchangeTool(exchange);
  const secrets = exchangeSecrets(exchange.request);
  deliverIncident(exchange.options.sink ?? stderrSink(), {
    fault,
    at: new Date(now).toISOString(),
    durationMs: Math.max(0, Math.round(toClock(exchange.options.testing).monotonic() - exchange.startedMs)),
    ...describeAnswer(fault, error === undefined ? {} : { error }, exchange.options.dialect, edgeRequest(exchange)),
    ...(cause !== undefined && { cause }),
    ...(method !== undefined && { method }),
    ...(tool !== undefined && { tool }),
    ...(secrets !== undefined && { secrets }),
  });
}

/** The credentials that came with a request: they go neither into an answer nor into a log. */
function exchangeSecrets({ headers }: Request) {
  return credentialFilter([...headers].flatMap(([name, value]) => (isCredentialHeader(name) ? [value] : [])));
}

function exchangeTrace(exchange: EdgeExchange): string | undefined {
  return stringAt(exchangeMeta(exchange), "traceparent") ?? exchange.request.headers.get("traceparent") ?? undefined;
}

/** What an error of a framework means at the HTTP edge: of its parser, or of whatever else threw. */
export function errorRefusal(error: unknown, options: HandlerOptions): EdgeRefusal {
  const status = peekInteger(error, "statusCode") ?? peekInteger(error, "status") ?? 500;
  if (isParserError(error) && status >= 400 && status < 500) {
    return { ...parserRefusal(error, status), cause: error };
  }
  return { ...convertThrown(error, options), cause: incidentCause(error), foreign: true };
}

/** What the parsers of Express and Fastify refuse. Their sentences repeat pieces of the body, so none is used. */
function parserRefusal(error: unknown, status: number): EdgeRefusal {
  if (status === 408) return { fault: timeout.fault({}, { effect: "none" }), status };
  if (status === 400 && isBrokenJson(error)) return { fault: parse_error.fault() };
  if (status === 400 && peek(error, "type") === NESTED_TOO_DEEPLY) return { fault: invalid_request.fault() };
  const size = { maxSize: peekInteger(error, "limit"), actualSize: peekInteger(error, "length") };
  return { fault: edgeStatusFault(status, size) ?? bad_request.fault() };
}

/** By the marks that body-parser and Fastify set, and by the errors of the language that they and routers give a status. */
function isParserError(error: unknown): boolean {
  if (PARSER_CODE.test(peekString(error, "code") ?? "")) return true;
  if (PARSER_TYPE.test(peekString(error, "type") ?? "")) return true;
  return isInstance(error, SyntaxError) || isInstance(error, URIError);
}

/** Of Fastify, and of the unpacking of compressed bodies. */
const PARSER_CODE = /^(?:FST_ERR_CTP_|Z_)[A-Z_]{1,60}$/;
const PARSER_TYPE = /^(?:entity|encoding|charset|request|stream|parameters|querystring)\.[a-z.]{1,40}$/;
const BROKEN_JSON = ["entity.parse.failed", "FST_ERR_CTP_INVALID_JSON_BODY", "FST_ERR_CTP_EMPTY_JSON_BODY"];

function isBrokenJson(error: unknown): boolean {
  return (
    isInstance(error, SyntaxError) ||
    [peek(error, "type"), peek(error, "code")].some((mark) => BROKEN_JSON.includes(mark as string))
  );
}
