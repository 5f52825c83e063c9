import type { NodeRequest, WrappedRequest } from "./types.ts";
import { bodyStream } from "./web-request.ts";

/** A parser has read the body, and what it made of it is nowhere to be found. */
export const CONSUMED: unique symbol = Symbol("consumed");

/** The `type` of the error for a parsed body that cannot become text again. Newer versions of Node can write it, and the message is refused later, by the same reason. */
export const NESTED_TOO_DEEPLY = "entity.nesting";

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | typeof CONSUMED | undefined;

/** The body of a request, whether or not a parser has read it; a parsed one becomes text again, so that all checks run. */
export function bodyOf(request: NodeRequest | WrappedRequest, incoming: NodeRequest, parsedBody: unknown): Body {
  if (incoming.method === "GET" || incoming.method === "HEAD") return undefined;
  const isGiven = parsedBody !== undefined && typeof parsedBody !== "function";
  // Express 4 puts an empty object into requests that no parser has read.
  if (!isGiven && incoming.readableDidRead !== true) return bodyStream(incoming);
  const body = isGiven ? parsedBody : (request as { body?: unknown }).body;
  if (body === undefined) return CONSUMED;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : (textOf(body) ?? CONSUMED);
}

/** A parsed body as text again. One that is nested too deeply for that is a mistake of the caller. */
function textOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw Object.assign(new Error("the body is nested too deeply", { cause }), {
      statusCode: 400,
      type: NESTED_TOO_DEEPLY,
    });
  }
}
