import type { HandlerFunction, HandlerObject } from "../http/guard-handler.ts";
import { bodyOf, CONSUMED } from "./body.ts";
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

/** Answers requests of `node:http`, Express and Fastify. It never rejects. */
export type NodeListener = (
  request: NodeRequest | WrappedRequest,
  response: NodeResponse | WrappedResponse,
  /** The parsed body, where your framework keeps it elsewhere than in `request.body`; functions are ignored. */
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
      const answer = await call(received, { incoming, ...authOf(request) });
      await writeResponse(outgoing, answer, { method, signal });
    } catch (cause) {
      // A guarded handler does not throw, so this is an unguarded one, or an answer that broke off.
      if (outgoing.headersSent) outgoing.destroy();
      else await writeResponse(outgoing, errorResponse(cause, toWebRequest(incoming), {}), { method, signal });
    }

    async function webRequest(): Promise<Request> {
      const body = bodyOf(request, incoming, parsedBody);
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
function authOf(request: NodeRequest | WrappedRequest): { readonly authInfo?: unknown } {
  const { auth } = request as { auth?: unknown };
  return auth === undefined ? {} : { authInfo: auth };
}
