import type { NodeResponse } from "./types.ts";

/** What is known about the exchange. */
interface WriteOptions {
  /** The method of the request: an answer to HEAD has no body. */
  readonly method: string;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

/**
 * Headers about the bytes of a body. Code that prepared another answer may have set them before it failed. `transfer-encoding` is
 * Node's own: without it, Node closes the connection after the answer.
 */
const ABOUT_BODY = [
  "content-length",
  "content-encoding",
  "content-range",
  "content-disposition",
  "etag",
  "last-modified",
];

/** Writes a web response, as fast as the client takes it. */
export async function writeResponse(outgoing: NodeResponse, response: Response, options: WriteOptions): Promise<void> {
  const { method, signal } = options;
  for (const name of ABOUT_BODY) outgoing.removeHeader(name);
  for (const [name, value] of response.headers) if (name !== "set-cookie") outgoing.setHeader(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) outgoing.setHeader("set-cookie", cookies);
  outgoing.writeHead(response.status);
  if (response.body === null || method === "HEAD") {
    outgoing.end();
    // Not awaited: a stream that does not let go must not delay the answer.
    response.body?.cancel().catch(() => {});
    return;
  }
  const reader = response.body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const drained = drainOf(outgoing);
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) break;
    if (!outgoing.write(value)) await drained();
  }
  signal.removeEventListener("abort", stop);
  outgoing.end();
}

/** Waits until the client has taken what was written, or is gone. Listeners are added once for the whole answer. */
function drainOf(outgoing: NodeResponse): () => Promise<void> {
  let resume = (): void => {};
  outgoing.on("drain", () => resume());
  outgoing.on("close", () => resume());
  return () =>
    new Promise((resolve) => {
      resume = resolve;
      if (outgoing.destroyed) resolve();
    });
}

/** A signal that is aborted when the client goes before it has its answer. */
export function clientSignal(outgoing: NodeResponse): AbortSignal {
  const gone = new AbortController();
  outgoing.on("close", () => {
    if (!outgoing.writableEnded) gone.abort();
  });
  if (outgoing.destroyed) gone.abort();
  return gone.signal;
}
