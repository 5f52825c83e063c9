import { toFault } from "../../reasons/unknown/to-fault.ts";
import { type Exchange, isRefusal } from "./exchange.ts";
import { withFetch } from "./face.ts";
import { finish } from "./finish.ts";
import type { HandlerOptions } from "./options.ts";
import { rewrite } from "./rewrite.ts";
import { STEPS } from "./steps/steps.ts";

/** A bare web-standard handler. */
export type HandlerFunction = (request: Request, extra?: never, ...rest: never[]) => Promise<Response> | Response;
/** An object with such a handler, as `createMcpHandler` gives it. */
export interface HandlerObject {
  readonly fetch: HandlerFunction;
}

type Call = (request: Request, ...rest: unknown[]) => Promise<Response> | Response;

/**
 * Puts the HTTP edge around a handler of MCP: checks method, content type, size, encoding, JSON and credentials before it,
 * and says whatever it throws or answers as an error of its own anew, without foreign text.
 *
 * The type of the handler is kept; its other members, such as `close`, stay within reach.
 */
export function guardHandler<H extends HandlerFunction | HandlerObject>(handler: H, options: HandlerOptions = {}): H {
  if (typeof handler === "function") return guarded(handler as unknown as Call, options) as unknown as H;
  const { fetch } = handler as HandlerObject;
  if (typeof fetch !== "function")
    throw new TypeError("guardHandler needs a function, or an object with a fetch function.");
  return withFetch(handler, guarded((fetch as unknown as Call).bind(handler), options));
}

function guarded(inner: Call, options: HandlerOptions): Call {
  return async (request, extra, ...rest) => {
    let exchange: Exchange = { request, extra, options, startedMs: 0 };
    try {
      exchange = { ...exchange, startedMs: (options.now ?? Date.now)() };
      // What a browser asks beforehand comes without body and credentials.
      for (const step of request.method === "OPTIONS" ? [] : STEPS) {
        const outcome = await step(exchange);
        if (isRefusal(outcome)) return finish(outcome, exchange);
        exchange = outcome;
      }
      const answer = await inner(forwarded(exchange), ...extraFor(exchange), ...rest);
      const outcome = await rewrite(answer, exchange);
      return "response" in outcome ? outcome.response : finish(outcome.refusal, exchange, outcome.revision);
    } catch (thrown) {
      return finish({ refused: toFault(thrown), cause: thrown, foreign: true }, exchange);
    }
  };
}

/** The request with the body that was read, for the handler to read again. */
function forwarded({ request, bytes, options }: Exchange): Request {
  return bytes === undefined || options.parsedBody === true ? request : new Request(request, { body: bytes });
}

/** The second argument of the handler, with what was found out here and the handler takes. */
function extraFor({ extra, auth, bytes, message, options }: Exchange): unknown[] {
  const found = {
    ...(auth !== undefined && { authInfo: auth }),
    ...(bytes !== undefined && options.parsedBody === true && { parsedBody: message }),
  };
  if (Object.keys(found).length > 0) return [{ ...(extra as object | undefined), ...found }];
  return extra === undefined ? [] : [extra];
}
