import { checkNumbers } from "../../wire/check-number.ts";
import { toClock } from "../../wire/clock.ts";
import { loadFailures } from "../first-failure.ts";
import { createSourceCheck, EDGE_CHECKS } from "./checks.ts";
import { discardBody, type EdgeExchange, isEdgeRefusal, lastEdgeAnswer } from "./exchange.ts";
import type { HandlerOptions } from "./options.ts";

/** A web-standard handler: a function from a request to a response. */
export type HandlerFunction = (request: Request, extra?: never, ...rest: never[]) => Promise<Response> | Response;
/** An object with such a handler as `fetch`, as `createMcpHandler` returns it. */
export interface HandlerObject {
  /** The handler. */
  readonly fetch: HandlerFunction;
}

type FetchHandler = (request: Request, ...rest: unknown[]) => Promise<Response> | Response;

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
  if (typeof handler === "function") return guardFetch(handler as unknown as FetchHandler, options) as unknown as H;
  const { fetch } = handler as HandlerObject;
  if (typeof fetch !== "function") {
    throw new TypeError("guardHandler takes a function, or an object with a fetch function");
  }
  return withFetch(handler, guardFetch((fetch as unknown as FetchHandler).bind(handler), options));
}

function guardFetch(inner: FetchHandler, options: HandlerOptions): FetchHandler {
  checkNumbers("body", options.body ?? {}, { maxBytes: { min: 0 }, timeoutMs: { min: 1 } });
  const checkSource = createSourceCheck(options);
  // A browser's preflight request has neither body nor credentials.
  const checksFor = (method: string) => [checkSource, ...(method === "OPTIONS" ? [] : EDGE_CHECKS)];
  return async (request, extra, ...rest) => {
    let exchange: EdgeExchange = { request, extra, options, startedMs: 0 };
    try {
      exchange = { ...exchange, startedMs: toClock(options.testing).monotonic() };
      for (const check of checksFor(request.method)) {
        const outcome = await check(exchange);
        if (isEdgeRefusal(outcome)) {
          discardBody(request);
          return (await loadFailures()).respond(outcome, exchange);
        }
        exchange = outcome;
      }
      const given = await inner(forwarded(exchange), ...handlerExtra(exchange), ...rest);
      // 499: the client is gone, so the answer is not read.
      if (given.status < 400 || given.status === 499) return given;
      const { respond, rewrite } = await loadFailures();
      const outcome = await rewrite(given, exchange);
      return "response" in outcome ? outcome.response : respond(outcome.refusal, exchange, outcome.revision);
    } catch (thrown) {
      return answerThrownAtEdge(thrown, exchange);
    }
  };
}

async function answerThrownAtEdge(thrown: unknown, exchange: EdgeExchange): Promise<Response> {
  try {
    const { convertThrown, incidentCause, respond } = await loadFailures();
    const converted = convertThrown(thrown, exchange.options);
    return respond({ ...converted, cause: incidentCause(thrown), foreign: true }, exchange);
  } catch {
    return lastEdgeAnswer();
  }
}

/**
 * The same object with another `fetch`. Everything else is read from the object itself and runs on it, so that classes with
 * private members and frozen objects work too.
 */
function withFetch<H extends object>(handler: H, fetch: unknown): H {
  const read = (key: PropertyKey): unknown => {
    if (key === "fetch") return fetch;
    const value: unknown = Reflect.get(handler, key, handler);
    return typeof value === "function" && key !== "constructor" ? (value.bind(handler) as unknown) : value;
  };
  return new Proxy({} as H, {
    get: (_, key) => read(key),
    set: (_, key, value) => Reflect.set(handler, key, value, handler),
    has: (_, key) => Reflect.has(handler, key),
    getPrototypeOf: () => Reflect.getPrototypeOf(handler),
    ownKeys: () => Reflect.ownKeys(handler),
    getOwnPropertyDescriptor: (_, key) => {
      const own = Reflect.getOwnPropertyDescriptor(handler, key);
      return own && { configurable: true, enumerable: own.enumerable === true, writable: true, value: read(key) };
    },
  });
}

/** A copy without references is garbage-collected, and its signal then never aborts. So the signal that it follows keeps it. */
const copies = new WeakMap<AbortSignal, Request>();

/** The request with the body that was read, for the handler to read again. */
function forwarded({ request, bytes, options }: EdgeExchange): Request {
  if (bytes === undefined || options.body?.passParsed === true) return request;
  const copy = copyRequest(request, bytes);
  // Some runtimes have requests without a signal.
  const { signal } = request as { readonly signal?: AbortSignal | null };
  if (signal) copies.set(signal, copy);
  return copy;
}

function copyRequest(request: Request, body: Uint8Array<ArrayBuffer>): Request {
  try {
    return new Request(request, { body });
  } catch {
    // Next wraps requests in proxy objects, which cannot be copied as a whole.
    const { url, method, headers, signal } = request;
    return new Request(url, { method, headers, signal, body });
  }
}

function handlerExtra({ extra, auth, bytes, message, options }: EdgeExchange): unknown[] {
  const found = {
    ...(auth !== undefined && { authInfo: auth }),
    ...(bytes !== undefined && options.body?.passParsed === true && { parsedBody: message }),
  };
  if (Object.keys(found).length > 0) return [{ ...(extra as object | undefined), ...found }];
  return extra === undefined ? [] : [extra];
}
