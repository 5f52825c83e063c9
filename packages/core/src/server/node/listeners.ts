import { toClock } from "../../wire/clock.ts";
import { loadFailures } from "../first-failure.ts";
import { lastEdgeAnswer } from "../http/exchange.ts";
import type { HandlerFunction, HandlerObject } from "../http/guard-handler.ts";
import type { HandlerOptions } from "../http/options.ts";
import {
  CONSUMED,
  clientSignal,
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
      else
        await writeNodeResponse(outgoing, await toErrorResponse(cause, toWebRequest(incoming), {}), { method, signal });
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
    const answer = await toErrorResponse(error, toWebRequest(incoming), options);
    // A parser may have stopped in the middle of a body, which the next request would wait behind.
    incoming.resume();
    const outgoing = takeResponse(response);
    await writeNodeResponse(outgoing, answer, { method: incoming.method ?? "GET", signal: clientSignal(outgoing) });
  };
}

/** The answer to a request whose handling ended with an error: a fault, without a stack trace and without foreign text. */
async function toErrorResponse(error: unknown, request: Request, options: HandlerOptions): Promise<Response> {
  const startedMs = toClock(options.testing).monotonic();
  try {
    const { errorRefusal, respond } = await loadFailures();
    return respond(errorRefusal(error, options), { request, extra: undefined, options, startedMs });
  } catch {
    return lastEdgeAnswer();
  }
}
