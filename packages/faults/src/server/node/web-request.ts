import { parseHost } from "../http/host.ts";
import type { NodeRequest } from "./types.ts";

/** Methods that a web `Request` refuses to have. */
const UNSUPPORTED = new Set(["CONNECT", "TRACE", "TRACK"]);

/** What the web request has besides the facts of the one of Node. */
export interface WebRequestOptions {
  /** The body. @default none */
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined;
  /** Aborted when the client is gone. @default none */
  readonly signal?: AbortSignal;
}

/** A request of Node as a web request. It does not throw, whatever a client has sent. */
export function toWebRequest(request: NodeRequest, { body, signal }: WebRequestOptions = {}): Request {
  const method = (request.method ?? "GET").toUpperCase();
  return new Request(addressOf(request), {
    // No handler serves these, so it answers as it does to any other method that it does not know.
    method: UNSUPPORTED.has(method) ? "UNSUPPORTED" : method,
    headers: headersOf(request, { isParsed: body !== undefined && !(body instanceof ReadableStream) }),
    ...(body !== undefined && method !== "GET" && method !== "HEAD" && { body, duplex: "half" }),
    ...(signal !== undefined && { signal }),
  } as RequestInit);
}

/** The address by the `Host` header. Where that is none, it is checked as a header all the same. */
function addressOf(request: NodeRequest): string {
  const { host, ":authority": authority } = request.headers;
  const named = [host, authority].find((name): name is string => typeof name === "string") ?? "";
  const authorityPart = parseHost(named) === undefined ? "localhost" : named;
  const scheme = (request.socket as { encrypted?: unknown } | null | undefined)?.encrypted === true ? "https" : "http";
  try {
    return new URL(`${scheme}://${authorityPart}${pathOf(request)}`).href;
  } catch {
    return `${scheme}://localhost/`;
  }
}

/** Only the path counts: a request line may name a whole address, which says nothing about this server. */
function pathOf(request: NodeRequest): string {
  // Routers of Express cut the path that they are mounted at.
  const url = (request as { originalUrl?: unknown }).originalUrl ?? request.url;
  const path = typeof url === "string" ? url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "") : "/";
  // Two slashes at the start, of either kind, would read like a host.
  return path.startsWith("/") ? path.replace(/^[/\\]{2,}/, "/") : "/";
}

/** Headers about the bytes that were sent; a parsed body has other bytes. */
const ABOUT_BYTES = new Set(["content-length", "content-encoding", "transfer-encoding"]);

function headersOf(request: NodeRequest, { isParsed }: { readonly isParsed: boolean }): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(":") || (isParsed && ABOUT_BYTES.has(name))) continue;
    for (const one of typeof value === "string" ? [value] : (value ?? [])) headers.append(name, one);
  }
  return headers;
}

/** The body of a request that has not been read yet. Cancelled, it throws the rest away and leaves the connection alone. */
export function bodyStream(request: NodeRequest): ReadableStream<Uint8Array> {
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
