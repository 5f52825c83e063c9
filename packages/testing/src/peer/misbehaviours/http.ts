// HTTP error statuses, with the headers that belong to them and without. The request is not carried out.

import type { JsonObject } from "@recourse/core/wire";
import { errorResponse } from "../json-rpc.ts";
import { HTTP_CONNECTIONS } from "./http-connections.ts";
import {
  afterCommit,
  type BadExchange,
  beforeCommit,
  type HttpMisbehaviour,
  JSON_TYPE,
  sendResponse,
} from "./http-exchange.ts";
import { MALFORMED_REPLIES, type MalformedReply, RECORDED_FAILURES, type RecordedFailure } from "./replies.ts";

type StatusHeaders = Readonly<Record<string, string>>;

/** A status with an empty body. */
const bare = (description: string, status: number, headers: StatusHeaders = {}): HttpMisbehaviour =>
  beforeCommit(description, (exchange) => sendResponse(exchange, status, headers));

const rpc = (description: string, status: number, error: JsonObject, headers: StatusHeaders = {}): HttpMisbehaviour =>
  beforeCommit(description, (exchange) =>
    sendResponse(
      exchange,
      status,
      { ...JSON_TYPE, ...headers },
      JSON.stringify(errorResponse(exchange.request.id, error)),
    ),
  );

/** A status with a JSON-RPC error that has a null id. No schema allows it, but the official SDKs send it. */
const rpcNull = (description: string, status: number, error: JsonObject): HttpMisbehaviour =>
  beforeCommit(description, (exchange) =>
    sendResponse(exchange, status, JSON_TYPE, JSON.stringify({ jsonrpc: "2.0", error, id: null })),
  );

const page = (description: string, status: number, headers: StatusHeaders = {}): HttpMisbehaviour =>
  beforeCommit(description, (exchange) =>
    sendResponse(
      exchange,
      status,
      { "content-type": "text/html", ...headers },
      `<html><body><h1>${status}</h1></body></html>`,
    ),
  );

/** A status with a problem document (RFC 9457). */
const problemResponse = (
  description: string,
  status: number,
  body: JsonObject,
  headers: StatusHeaders = {},
): HttpMisbehaviour =>
  beforeCommit(description, (exchange) =>
    sendResponse(
      exchange,
      status,
      { "content-type": "application/problem+json", ...headers },
      JSON.stringify({ status, ...body }),
    ),
  );

const redirect = (description: string, status: number, to: (exchange: BadExchange) => string): HttpMisbehaviour =>
  beforeCommit(description, (exchange) => sendResponse(exchange, status, { location: to(exchange) }));

const BEARER =
  'Bearer error="invalid_token", error_description="The access token expired", scope="mcp", resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource"';
const SCOPE = 'Bearer error="insufficient_scope", scope="files:write files:read", error_description="More is needed"';

const HTTP_STATUSES = {
  "400-invalid-params": rpc("400 with a JSON-RPC error.", 400, { code: -32602, message: "Invalid params" }),
  "400-parse-error": rpcNull("400: the body is not JSON.", 400, { code: -32700, message: "Parse error" }),
  "400-invalid-request": rpcNull("400: the body is not a request.", 400, { code: -32600, message: "Invalid Request" }),
  "400-text": beforeCommit("400 in plain text.", (exchange) =>
    sendResponse(exchange, 400, { "content-type": "text/plain" }, "Invalid JSON"),
  ),
  "400-bad-version-v1": rpcNull("400: the version is not served, as SDK version 1 reports it.", 400, {
    code: -32000,
    message: "Bad Request: Unsupported protocol version",
  }),
  "400-bad-envelope": rpc("400: the envelope of the modern revision is incomplete.", 400, {
    code: -32602,
    message: "Invalid request envelope",
    data: { envelope: { missing: ["io.modelcontextprotocol/clientCapabilities"] } },
  }),
  "400-header-mismatch": rpc("400: a header contradicts the body.", 400, {
    code: -32020,
    message: "Header mismatch",
    data: { mismatch: { header: "tools/list", body: "tools/call" } },
  }),
  "400-missing-capability": rpc("400: the client lacks a capability.", 400, {
    code: -32021,
    message: "Missing required client capability",
    data: { requiredCapabilities: { sampling: {} } },
  }),
  "400-unsupported-version": rpc("400: the protocol version is not served.", 400, {
    code: -32022,
    message: "Unsupported protocol version",
    data: { supported: ["2099-01-01"], requested: "2026-07-28" },
  }),
  "401-challenge": beforeCommit("401 with WWW-Authenticate.", (exchange) =>
    sendResponse(exchange, 401, { ...JSON_TYPE, "www-authenticate": BEARER }, '{"error":"invalid_token"}'),
  ),
  "401-bare": bare("401 with an empty body.", 401),
  "403-insufficient-scope": beforeCommit("403: the token lacks a scope.", (exchange) =>
    sendResponse(exchange, 403, { ...JSON_TYPE, "www-authenticate": SCOPE }, '{"error":"insufficient_scope"}'),
  ),
  "403-bare": bare("403 with an empty body.", 403),
  "403-origin": rpcNull("403: requests from this origin are not served.", 403, {
    code: -32000,
    message: "Forbidden origin",
  }),
  "404-session-lost": rpc("404: the session is no longer known.", 404, {
    code: -32001,
    message: "Session not found",
  }),
  "404-method-not-found": rpc("404: the method is not known.", 404, { code: -32601, message: "Method not found" }),
  "404-html": page("404 page of a web server.", 404),
  "405-method": rpc(
    "405: only another HTTP method is served.",
    405,
    { code: -32000, message: "Method not allowed." },
    { allow: "GET" },
  ),
  "406-accept": rpc("406: no content type that the client accepts.", 406, { code: -32000, message: "Not Acceptable" }),
  "408-timeout": bare("408: the request came too slowly.", 408),
  "409-conflict": rpc("409: another stream is already open.", 409, { code: -32000, message: "Conflict" }),
  "413-too-large": rpc("413: the message is too large.", 413, { code: -32000, message: "Payload Too Large" }),
  "415-media-type": rpc("415: the content type is not accepted.", 415, {
    code: -32000,
    message: "Unsupported Media Type",
  }),
  "422-problem": problemResponse("422 with a problem document.", 422, {
    type: "about:blank",
    title: "Unprocessable Content",
  }),
  "429-seconds": bare("429 with Retry-After in seconds.", 429, { "retry-after": "2" }),
  "429-date": beforeCommit("429 with Retry-After as a date.", (exchange) =>
    sendResponse(exchange, 429, { "retry-after": new Date(exchange.now() + 3_000).toUTCString() }),
  ),
  "429-ratelimit": bare("429 with RateLimit headers.", 429, {
    ratelimit: '"default";r=0;t=5',
    "ratelimit-policy": '"default";q=100;w=60',
  }),
  "429-bare": bare("429 without Retry-After.", 429),
  "500-html": page("500 page of a web server.", 500),
  "500-rpc": rpc("500 with a JSON-RPC error.", 500, { code: -32603, message: "Internal server error" }),
  "500-oauth": beforeCommit("500 of the authorization server.", (exchange) =>
    sendResponse(exchange, 500, JSON_TYPE, '{"error":"server_error","error_description":"Internal Server Error"}'),
  ),
  "502-html": page("502 of a gateway that reached no server.", 502),
  "503-retry-after": bare("503 with Retry-After.", 503, { "retry-after": "1" }),
  "503-problem": problemResponse(
    "503 with a problem document.",
    503,
    { title: "Service Unavailable" },
    { "retry-after": "1" },
  ),
  "503-bare": bare("503 without Retry-After.", 503),
  "504-html": page("504 of a gateway that got no answer.", 504),
  "redirect-302": redirect(
    "Redirects the client to an address that does not exist.",
    302,
    ({ url }) => `${url.origin}/nowhere`,
  ),
  "redirect-307": redirect(
    "Redirects the client to the right address and keeps the body.",
    307,
    ({ url }) => `${url}?moved`,
  ),
  "redirect-loop": redirect("Redirects the client in a loop.", 308, ({ url }) => `${url}?loop`),
  "redirect-elsewhere": redirect("Redirects the client to another host.", 307, () => "http://127.0.0.1:1/mcp"),
} as const satisfies Record<string, HttpMisbehaviour>;

/** Each malformed reply as the body of a response with status 200. */
const MALFORMED_RESPONSES = Object.fromEntries(
  Object.entries<MalformedReply>(MALFORMED_REPLIES).map(([name, { description, from }]) => {
    const type = name === "html-200" ? { "content-type": "text/html" } : JSON_TYPE;
    return [name, afterCommit(description, (exchange, reply) => sendResponse(exchange, 200, type, from(reply)))];
  }),
) as Record<keyof typeof MALFORMED_REPLIES, HttpMisbehaviour>;

/** Each recorded failure as the body of a response with status 200. */
const RECORDED_RESPONSES = Object.fromEntries(
  Object.entries<RecordedFailure>(RECORDED_FAILURES).map(([name, { description, wire, ran }]) => {
    const act = (exchange: BadExchange) =>
      sendResponse(exchange, 200, JSON_TYPE, JSON.stringify({ jsonrpc: "2.0", id: exchange.request.id, ...wire }));
    return [name, ran ? afterCommit(description, act) : beforeCommit(description, act)];
  }),
) as Record<keyof typeof RECORDED_FAILURES, HttpMisbehaviour>;

/** Everything that the peer can do wrong over HTTP, by name. */
export const MISBEHAVIOURS = {
  ...HTTP_CONNECTIONS,
  ...MALFORMED_RESPONSES,
  ...HTTP_STATUSES,
  ...RECORDED_RESPONSES,
} as const satisfies Record<string, HttpMisbehaviour>;

/** The name of a misbehaviour over HTTP. */
export type MisbehaviourName = keyof typeof MISBEHAVIOURS;
