import { parseHost } from "../../wire/host.ts";

// The parts of requests and responses of Node, Express and Fastify that are used here. None of them is imported.

/** A request of `node:http`, or one of a framework that extends it, such as Express. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Whether something has read from the body. */
  readonly readableDidRead?: boolean;
  /** The connection. */
  readonly socket?: { readonly localAddress?: string | undefined } | null;
  /** Throws the rest of the body away. */
  resume(): unknown;
}

/** A response of `node:http`, or one of a framework that extends it. */
export interface NodeResponse {
  /** Whether an answer has begun. */
  readonly headersSent: boolean;
  /** Whether the answer has been handed over completely. */
  readonly writableEnded: boolean;
  /** Whether the connection is gone. */
  readonly destroyed: boolean;
  /** Sets one header. */
  setHeader(name: string, value: string | readonly string[]): unknown;
  /** Takes one header back. */
  removeHeader(name: string): unknown;
  /** Begins the answer. */
  writeHead(status: number): unknown;
  /** Writes a part of the body; false if the next part should wait. */
  write(chunk: Uint8Array): boolean;
  /** Ends the answer. */
  end(): unknown;
  /** Ends the connection. */
  destroy(): unknown;
  /** Calls back on an event. */
  on(event: "close" | "drain", listener: () => void): unknown;
}

/** A request of Fastify. */
export interface WrappedRequest {
  /** The request of Node. */
  readonly raw: NodeRequest;
  /** What the parser of the framework read. */
  readonly body?: unknown;
}

/** A reply of Fastify. */
export interface WrappedResponse {
  /** The response of Node. */
  readonly raw: NodeResponse;
  /** Tells the framework that the answer is given elsewhere. */
  hijack(): unknown;
  /** The headers that hooks have set so far. */
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
}

/** The request of Node in whatever a framework gives. */
export function rawRequest(request: NodeRequest | WrappedRequest): NodeRequest {
  return "raw" in request ? request.raw : request;
}

/** The response of Node in whatever a framework gives, which then leaves the answer to the caller. */
export function takeResponse(response: NodeResponse | WrappedResponse): NodeResponse {
  if (!("raw" in response)) return response;
  response.hijack();
  for (const [name, value] of Object.entries(response.getHeaders())) {
    if (value !== undefined) response.raw.setHeader(name, typeof value === "number" ? String(value) : value);
  }
  return response.raw;
}

/** Methods that a web `Request` refuses to have. */
const UNSUPPORTED = new Set(["CONNECT", "TRACE", "TRACK"]);

interface WebRequestOptions {
  /** The body. @default none */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
  /** Aborted when the client is gone. @default none */
  readonly signal?: AbortSignal;
}

/** A request of Node as a web request. It does not throw, whatever a client has sent. */
export function toWebRequest(request: NodeRequest, { body, signal }: WebRequestOptions = {}): Request {
  const method = (request.method ?? "GET").toUpperCase();
  return new Request(requestAddress(request), {
    // No handler serves these, so it answers as it does to any other method that it does not know.
    method: UNSUPPORTED.has(method) ? "UNSUPPORTED" : method,
    headers: toWebHeaders(request, { isParsed: body !== undefined && !(body instanceof ReadableStream) }),
    ...(body !== undefined && method !== "GET" && method !== "HEAD" && { body, duplex: "half" }),
    ...(signal !== undefined && { signal }),
  } as RequestInit);
}

/** The address in the `Host` header. If it is not an address, it is still checked as a header. */
function requestAddress(request: NodeRequest): string {
  const { host, ":authority": authority } = request.headers;
  const named = [host, authority].find((name): name is string => typeof name === "string") ?? "";
  const authorityPart = parseHost(named) === undefined ? "localhost" : named;
  const scheme = (request.socket as { encrypted?: unknown } | null | undefined)?.encrypted === true ? "https" : "http";
  try {
    return new URL(`${scheme}://${authorityPart}${requestPath(request)}`).href;
  } catch {
    return `${scheme}://localhost/`;
  }
}

/** Only the path counts: a request line may name a whole address, which says nothing about this server. */
function requestPath(request: NodeRequest): string {
  // Routers of Express cut the path that they are mounted at.
  const url = (request as { originalUrl?: unknown }).originalUrl ?? request.url;
  const path = typeof url === "string" ? url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "") : "/";
  // Two slashes at the start, of either kind, would read like a host.
  return path.startsWith("/") ? path.replace(/^[/\\]{2,}/, "/") : "/";
}

/** Headers about the bytes that were sent; a parsed body has other bytes. */
const ABOUT_BYTES = new Set(["content-length", "content-encoding", "transfer-encoding"]);

function toWebHeaders(request: NodeRequest, { isParsed }: { readonly isParsed: boolean }): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(":") || (isParsed && ABOUT_BYTES.has(name))) continue;
    for (const one of typeof value === "string" ? [value] : (value ?? [])) headers.append(name, one);
  }
  return headers;
}

/** The body of a request that has not been read yet. Cancelled, it throws the rest away and leaves the connection alone. */
function bodyStream(request: NodeRequest): ReadableStream<Uint8Array> {
  const { iterator } = request as { iterator?: (options: object) => AsyncIterator<unknown> };
  const chunks = iterator?.call(request, { destroyOnReturn: false }) ?? request[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(typeof value === "string" ? new TextEncoder().encode(value) : (value as Uint8Array));
      },
      async cancel() {
        await chunks.return?.();
        request.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A parser has read the body, and what it made of it is nowhere to be found. */
export const CONSUMED: unique symbol = Symbol("consumed");

/** The `type` of the error for a parsed body that cannot become text again. Newer versions of Node can write it, and the message is refused later, by the same reason. */
export const NESTED_TOO_DEEPLY = "entity.nesting";

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | typeof CONSUMED | undefined;

/** The body of a request, whether or not a parser has read it; a parsed one becomes text again, so that all checks run. */
export function readNodeBody(request: NodeRequest | WrappedRequest, incoming: NodeRequest, parsedBody: unknown): Body {
  if (incoming.method === "GET" || incoming.method === "HEAD") return undefined;
  const isGiven = parsedBody !== undefined && typeof parsedBody !== "function";
  // Express 4 puts an empty object into requests that no parser has read.
  if (!isGiven && incoming.readableDidRead !== true) return bodyStream(incoming);
  const body = isGiven ? parsedBody : (request as { body?: unknown }).body;
  if (body === undefined) return CONSUMED;
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : (stringifyBody(body) ?? CONSUMED);
}

/** A parsed body as text again. One that is nested too deeply for that is a mistake of the caller. */
function stringifyBody(body: unknown): string | undefined {
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

interface WriteOptions {
  /** The method of the request: an answer to HEAD has no body. */
  readonly method: string;
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

export async function writeNodeResponse(
  outgoing: NodeResponse,
  response: Response,
  options: WriteOptions,
): Promise<void> {
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
  const drained = awaitDrain(outgoing);
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) break;
    if (!outgoing.write(value)) await drained();
  }
  signal.removeEventListener("abort", stop);
  outgoing.end();
}

/** Waits until the client has taken what was written, or is gone. Listeners are added once for the whole answer. */
function awaitDrain(outgoing: NodeResponse): () => Promise<void> {
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
