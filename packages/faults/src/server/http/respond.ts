import { http } from "../../dialects/http/dialect.ts";
import { LATEST_REVISION, type Revision } from "../../dialects/mcp/table.ts";
import type { Fault } from "../../fault/fault.ts";
import { formatId } from "../../fault/id.ts";
import { KINDS, knownKind } from "../../fault/kinds.ts";
import { redactSecrets } from "../../fault/redact-secrets.ts";
import { shouldReport } from "../../fault/should-report.ts";
import { stampFault } from "../../fault/stamp.ts";
import { deliver } from "../../incidents/incident.ts";
import { stderrSink } from "../../incidents/sinks.ts";
import { stringAt } from "../../json/read.ts";
import { randomBytes } from "../../platform/random.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import type { Converted } from "../../reasons/thrown/to-fault.ts";
import { credentialFilter, isCredentialHeader } from "../../sdk/credentials.ts";
import { releaseFault } from "../release.ts";
import type { WireForm } from "../replies/checked-wire.ts";
import {
  answerFacts,
  type DialectRequest,
  EDGE,
  foreignTextFor,
  writeEdgeError,
  writeInDialect,
} from "../replies/dialect-choice.ts";
import { originOf } from "../reporter.ts";
import { rememberSent } from "../sent-faults.ts";
import { prefersProblem } from "./accept.ts";
import { challengeFor } from "./challenge.ts";
import { type Exchange, idOf, metaOf, methodOf, type Refusal, receivedOf, toolOf } from "./exchange.ts";
import { revisionFor } from "./received.ts";

/** The answer where writing a better one failed. */
const LAST_RESORT =
  '{"jsonrpc":"2.0","error":{"code":-32603,"message":"The call failed because of an internal error."}}';

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

/** Ends an exchange: stamps the fault, reports it where it is an incident, and writes the response. It never throws. */
export function respond(refusal: Refusal, exchange: Exchange, revision?: Revision): Response {
  try {
    return write(refusal, exchange, revision ?? revisionFor(receivedOf(exchange)));
  } catch {
    return new Response(LAST_RESORT, { status: 500, headers: { "content-type": "application/json" } });
  }
}

function write(refusal: Refusal, exchange: Exchange, revision: Revision): Response {
  const { options } = exchange;
  const { fault, textHidden } = checkedFault(refusal, exchange);
  const isReported = isIncident(fault, textHidden, exchange);
  const now = (options.now ?? Date.now)();
  const out = stampFault(fault, {
    incident: isReported ? formatId(now, (options.random ?? randomBytes)()) : undefined,
    at: fault.at ?? new Date(now).toISOString(),
    trace: fault.trace ?? traceOf(exchange),
    docsBase: options.docsBase,
    origin: originOf(fault, options.name),
  });
  const call = callAnswer(out, refusal, exchange, revision);
  const status = call === undefined ? (refusal.status ?? edgeStatus(refusal.fault)) : 200;
  const answer = call ?? encode(out, status, exchange, revision);
  rememberSent(out);
  if (isReported) report(out, answer, refusal, exchange, now);
  const challenge = refusal.headers?.["www-authenticate"] ?? challengeFor(out, options);
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
function checkedFault({ fault, foreign, textHidden = false }: Refusal, exchange: Exchange): Converted {
  const { request, options } = exchange;
  if (knownKind(fault) === "unauthenticated") return { fault: unauthorized.fault(), textHidden };
  if (foreign !== true) return { fault, textHidden };
  const secrets = secretsOf(request);
  const foreignText = foreignTextFor(options, dialectRequestOf(exchange));
  const released = releaseFault(fault, { foreignText, allow: options.allow, secrets });
  return { fault: redactSecrets(released.fault, secrets), textHidden: textHidden || released.textHidden };
}

/** A fault that has an incident was reported where it was made. Of refused credentials, the answer says nothing about a report. */
function isIncident(fault: Fault, textHidden: boolean, { options }: Exchange): boolean {
  if (fault.incident !== undefined) return false;
  if (options.reportCallerErrors === true) return true;
  return knownKind(fault) !== "unauthenticated" && shouldReport(fault, { textHidden });
}

/** An answer before it becomes a response. */
interface Answer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON-RPC error, where the answer is one. */
  readonly error?: WireForm;
}

/** Headers that only a problem document has, or that are written elsewhere. */
const OWN_HEADERS = new Set(["content-type", "www-authenticate"]);

/** The result that answers a refused call; undefined where it is answered with an error. */
function callAnswer(fault: Fault, { callId }: Refusal, { options }: Exchange, revision: Revision): Answer | undefined {
  if (callId === undefined) return undefined;
  const { dialect, docsBase } = options;
  const request = { method: "tools/call", meta: {} };
  const wire = writeInDialect(fault, dialect, request, { method: "tools/call", docsBase });
  if (wire?.result === undefined) return undefined;
  // A result of the newer era says of which type it is.
  const result = { ...(revision === LATEST_REVISION && { resultType: "complete" }), ...wire.result };
  const body = JSON.stringify({ jsonrpc: "2.0", id: callId, result });
  return { body, headers: { "content-type": "application/json" } };
}

/** Writes a fault in the form that the client accepts. */
function encode(fault: Fault, status: number, exchange: Exchange, revision: Revision): Answer {
  const problem = http.encode(fault, { docsBase: exchange.options.docsBase });
  const facts = Object.fromEntries(Object.entries(problem.headers).filter(([name]) => !OWN_HEADERS.has(name)));
  if (prefersProblem(exchange.request.headers.get("accept"))) {
    const headers = { ...facts, "content-type": "application/problem+json" };
    return { body: JSON.stringify({ ...problem.body, status }), headers };
  }
  const error = writeEdgeError(fault, exchange.options, { request: dialectRequestOf(exchange), revision });
  const id = idOf(exchange);
  const body = JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
  return { body, headers: { ...facts, "content-type": "application/json" }, error };
}

function dialectRequestOf(exchange: Exchange): DialectRequest {
  return { method: methodOf(exchange) ?? EDGE.method, meta: metaOf(exchange) ?? EDGE.meta };
}

function report(fault: Fault, { error }: Answer, { cause }: Refusal, exchange: Exchange, now: number): void {
  const method = methodOf(exchange);
  const tool = toolOf(exchange);
  const secrets = secretsOf(exchange.request);
  deliver(exchange.options.sink ?? stderrSink(), {
    fault,
    at: new Date(now).toISOString(),
    durationMs: Math.max(0, Math.round(now - exchange.startedMs)),
    ...answerFacts(fault, error === undefined ? {} : { error }, exchange.options.dialect, dialectRequestOf(exchange)),
    ...(cause !== undefined && { cause }),
    ...(method !== undefined && { method }),
    ...(tool !== undefined && { tool }),
    ...(secrets !== undefined && { secrets }),
  });
}

/** The credentials that came with a request: they go neither into an answer nor into a log. */
function secretsOf({ headers }: Request) {
  return credentialFilter([...headers].flatMap(([name, value]) => (isCredentialHeader(name) ? [value] : [])));
}

function traceOf(exchange: Exchange): string | undefined {
  return stringAt(metaOf(exchange), "traceparent") ?? exchange.request.headers.get("traceparent") ?? undefined;
}
