import { isInstance, peek, peekInteger, peekString } from "../../errors/peek.ts";
import { incidentCause } from "../../incidents/describe-cause.ts";
import { edgeStatusFault } from "../../reasons/http/statuses.ts";
import { timeout } from "../../reasons/library/core.ts";
import { bad_request, invalid_request, parse_error } from "../../reasons/library/protocol.ts";
import { convertThrown } from "../../reasons/thrown/to-fault.ts";
import { toClock } from "../../wire/clock.ts";
import type { EdgeRefusal } from "../http/exchange.ts";
import type { HandlerFunction, HandlerObject } from "../http/guard-handler.ts";
import type { HandlerOptions } from "../http/options.ts";
import { respond } from "../http/respond.ts";
import {
  CONSUMED,
  clientSignal,
  NESTED_TOO_DEEPLY,
  type NodeRequest,
  type NodeResponse,
  rawRequest,
  readNodeBody,
  takeResponse,
  toWebRequest,
  type WrappedRequest,
  type WrappedResponse,
  writeNodeResponse,
} from "./web.ts";

/** Answers requests of `node:http`, Express and Fastify. It never rejects. */
export type NodeListener = (
  request: NodeRequest | WrappedRequest,
  response: NodeResponse | WrappedResponse,
  /** The parsed body, if your framework keeps it elsewhere than in `request.body`; functions are ignored. */
  parsedBody?: unknown,
) => Promise<void>;

/**
 * Makes a guarded handler a listener for `node:http`, a handler for Express and a route of Fastify. It tells the guard at
 * which address a connection came in, and uses the body that a parser in front has read.
 *
 * @example
 * const listener = toNodeListener(guardHandler(createMcpHandler(createServer)));
 * http.createServer(listener); // or app.all("/mcp", listener) of Express and Fastify
 */
export function toNodeListener(handler: HandlerFunction | HandlerObject): NodeListener {
  const call = (typeof handler === "function" ? handler : handler.fetch.bind(handler)) as unknown as (
    request: Request,
    extra: object,
  ) => Promise<Response>;
  return async (request, response, parsedBody) => {
    const incoming = rawRequest(request);
    const outgoing = takeResponse(response);
    const signal = clientSignal(outgoing);
    const method = incoming.method ?? "GET";
    try {
      const received = await webRequest();
      keepUntilClosed(outgoing, received);
      const answer = await call(received, { incoming, outgoing, ...middlewareAuth(request) });
      await writeNodeResponse(outgoing, answer, { method, signal });
    } catch (cause) {
      // A guarded handler does not throw, so this is an unguarded one, or an answer that broke off.
      if (outgoing.headersSent) outgoing.destroy();
      else await writeNodeResponse(outgoing, toErrorResponse(cause, toWebRequest(incoming), {}), { method, signal });
    }

    async function webRequest(): Promise<Request> {
      const body = readNodeBody(request, incoming, parsedBody);
      if (body !== CONSUMED) return toWebRequest(incoming, { body, signal });
      // The guard knows a request whose body is used up, and says what to do about it.
      const used = toWebRequest(incoming, { body: "used", signal });
      await used.text();
      return used;
    }
  };
}

/** A web request without references is garbage-collected, and its signal then never aborts, even if it has listeners. */
function keepUntilClosed(outgoing: NodeResponse, request: Request): void {
  const kept = new Set([request]);
  outgoing.on("close", () => kept.clear());
}

/** What a middleware for credentials has found, in the place where the one of the SDK puts it. */
function middlewareAuth(request: NodeRequest | WrappedRequest): { readonly authInfo?: unknown } {
  const { auth } = request as { auth?: unknown };
  return auth === undefined ? {} : { authInfo: auth };
}

/** An error handler for Express, which counts four parameters, and for Fastify, which passes three. */
export type EdgeErrorHandler = (
  error: unknown,
  request: NodeRequest | WrappedRequest,
  response: NodeResponse | WrappedResponse,
  next?: (error?: unknown) => void,
) => Promise<void>;

/**
 * Answers errors of Express and Fastify, such as broken JSON in a body parser, with the faults of `guardHandler` instead of
 * pages with stack traces. Incidents go to the sink. An error after the answer has begun goes to `next`, or ends the
 * connection.
 *
 * @example
 * app.use("/mcp", edgeErrorHandler()); // Express, after the routes
 * app.setErrorHandler(edgeErrorHandler()); // Fastify
 */
export function edgeErrorHandler(options: HandlerOptions = {}): EdgeErrorHandler {
  return async (error, request, response, next) => {
    const begun = "raw" in response ? response.raw : response;
    if (begun.headersSent) {
      if (next === undefined) begun.destroy();
      else next(error);
      return;
    }
    const incoming = rawRequest(request);
    const answer = toErrorResponse(error, toWebRequest(incoming), options);
    // A parser may have stopped in the middle of a body, which the next request would wait behind.
    incoming.resume();
    const outgoing = takeResponse(response);
    await writeNodeResponse(outgoing, answer, { method: incoming.method ?? "GET", signal: clientSignal(outgoing) });
  };
}

/** The answer to a request whose handling ended with an error: a fault, without a stack trace and without foreign text. */
function toErrorResponse(error: unknown, request: Request, options: HandlerOptions): Response {
  const startedMs = toClock(options.testing).monotonic();
  return respond(errorRefusal(error, options), { request, extra: undefined, options, startedMs });
}

function errorRefusal(error: unknown, options: HandlerOptions): EdgeRefusal {
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
