import { causeOf } from "../../incidents/read-thrown.ts";
import { convertThrown } from "../../reasons/thrown/to-fault.ts";
import { sourceCheck } from "./check-source.ts";
import { CHECKS } from "./checks.ts";
import { discardBody } from "./discard.ts";
import { type Exchange, isRefusal } from "./exchange.ts";
import type { HandlerOptions } from "./options.ts";
import { respond } from "./respond.ts";
import { rewrite } from "./rewrite.ts";
import { withFetch } from "./with-fetch.ts";

/** A web-standard handler: a function from a request to a response. */
export type HandlerFunction = (request: Request, extra?: never, ...rest: never[]) => Promise<Response> | Response;
/** An object with such a handler as `fetch`, as `createMcpHandler` returns it. */
export interface HandlerObject {
  /** The handler. */
  readonly fetch: HandlerFunction;
}

type Call = (request: Request, ...rest: unknown[]) => Promise<Response> | Response;

/**
 * Guards the HTTP edge of an MCP server: checks host, origin, method, credentials, content type, size, encoding and JSON
 * before the handler, and turns whatever it throws or answers as an error into a fault without foreign text.
 *
 * The type of the handler is kept; its other members, such as `close`, stay available.
 *
 * @example
 * const handler = guardHandler(createMcpHandler(createServer), { name: "orders" });
 * app.all("/mcp", (c) => handler.fetch(c.req.raw));
 */
export function guardHandler<H extends HandlerFunction | HandlerObject>(handler: H, options: HandlerOptions = {}): H {
  if (typeof handler === "function") return guarded(handler as unknown as Call, options) as unknown as H;
  const { fetch } = handler as HandlerObject;
  if (typeof fetch !== "function") {
    throw new TypeError("guardHandler takes a function, or an object with a fetch function");
  }
  return withFetch(handler, guarded((fetch as unknown as Call).bind(handler), options));
}

function guarded(inner: Call, options: HandlerOptions): Call {
  const checkSource = sourceCheck(options);
  // A browser's preflight request has neither body nor credentials.
  const checksFor = (method: string) => [checkSource, ...(method === "OPTIONS" ? [] : CHECKS)];
  return async (request, extra, ...rest) => {
    let exchange: Exchange = { request, extra, options, startedMs: 0 };
    try {
      exchange = { ...exchange, startedMs: (options.now ?? Date.now)() };
      for (const check of checksFor(request.method)) {
        const outcome = await check(exchange);
        if (isRefusal(outcome)) {
          discardBody(request);
          return respond(outcome, exchange);
        }
        exchange = outcome;
      }
      const answer = await inner(forwarded(exchange), ...extraFor(exchange), ...rest);
      const outcome = await rewrite(answer, exchange);
      return "response" in outcome ? outcome.response : respond(outcome.refusal, exchange, outcome.revision);
    } catch (thrown) {
      return respond({ ...convertThrown(thrown, options), cause: causeOf(thrown), foreign: true }, exchange);
    }
  };
}

/** A copy without references is garbage-collected, and its signal then never aborts. So the signal that it follows keeps it. */
const copies = new WeakMap<AbortSignal, Request>();

/** The request with the body that was read, for the handler to read again. */
function forwarded({ request, bytes, options }: Exchange): Request {
  if (bytes === undefined || options.parsedBody === true) return request;
  const copy = copyOf(request, bytes);
  // Some runtimes have requests without a signal.
  const { signal } = request as { readonly signal?: AbortSignal | null };
  if (signal) copies.set(signal, copy);
  return copy;
}

function copyOf(request: Request, body: Uint8Array<ArrayBuffer>): Request {
  try {
    return new Request(request, { body });
  } catch {
    // Next wraps requests in proxy objects, which cannot be copied as a whole.
    const { url, method, headers, signal } = request;
    return new Request(url, { method, headers, signal, body });
  }
}

/** The second argument of the handler, with what the checks found. */
function extraFor({ extra, auth, bytes, message, options }: Exchange): unknown[] {
  const found = {
    ...(auth !== undefined && { authInfo: auth }),
    ...(bytes !== undefined && options.parsedBody === true && { parsedBody: message }),
  };
  if (Object.keys(found).length > 0) return [{ ...(extra as object | undefined), ...found }];
  return extra === undefined ? [] : [extra];
}
