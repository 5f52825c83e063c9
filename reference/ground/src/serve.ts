import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** Answers a request as the web knows it. */
export type Fetch = (request: Request) => Promise<Response>;

/** The same, told the address that the request came from. */
export type Handle = (request: Request, from: string) => Promise<Response>;

/** Methods that a request of the web cannot have. */
const UNSPEAKABLE = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Serves a function of requests with Node's own HTTP server. */
export function serve(handle: Handle): Server {
  return createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    answer(incoming, outgoing, handle, gone.signal).catch(() => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    });
  });
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: Handle,
  gone: AbortSignal,
): Promise<void> {
  if (UNSPEAKABLE.has(incoming.method ?? "")) {
    outgoing.writeHead(405, { allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS" }).end();
    return;
  }
  const response = await handle(requestFrom(incoming, gone), incoming.socket.remoteAddress ?? "unknown");
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (incoming.method !== "HEAD") for await (const chunk of response.body ?? []) outgoing.write(chunk);
  outgoing.end();
}

function requestFrom(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const { method = "GET", url = "/" } = incoming;
  const hasBody = !["GET", "HEAD"].includes(method);
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  // The path is taken as it came: a host in it, or none at all, changes nothing.
  const address = `http://server${url.startsWith("/") ? url : "/"}`;
  return new Request(address, { method, headers, body, signal, duplex: "half" });
}
