import type { HandlerOptions } from "../http/options.ts";
import { errorResponse } from "./error-response.ts";
import {
  type NodeRequest,
  type NodeResponse,
  rawRequest,
  takeResponse,
  type WrappedRequest,
  type WrappedResponse,
} from "./types.ts";
import { toWebRequest } from "./web-request.ts";
import { clientSignal, writeResponse } from "./write-response.ts";

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
    const answer = errorResponse(error, toWebRequest(incoming), options);
    // A parser may have stopped in the middle of a body, which the next request would wait behind.
    incoming.resume();
    const outgoing = takeResponse(response);
    await writeResponse(outgoing, answer, { method: incoming.method ?? "GET", signal: clientSignal(outgoing) });
  };
}
