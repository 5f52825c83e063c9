import type { NodeRequest, WrappedRequest } from "./types.ts";
import { bodyStream } from "./web-request.ts";

/** A parser has read the body, and what it made of it is nowhere to be found. */
export const CONSUMED: unique symbol = Symbol("consumed");

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
  return body instanceof Uint8Array ? new Uint8Array(body) : (JSON.stringify(body) ?? CONSUMED);
}
