import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { PEER_ADDRESS } from "../access/identify.ts";
import type { App } from "../app.ts";

/** Serves an app with Node's own HTTP server. */
export function serveApp(app: App): Server {
  return createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    answer(incoming, outgoing, app, gone.signal).catch(() => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    });
  });
}

/** Methods that a request of the web cannot have. */
const UNSPEAKABLE = new Set(["CONNECT", "TRACE", "TRACK"]);

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, app: App, gone: AbortSignal): Promise<void> {
  if (UNSPEAKABLE.has(incoming.method ?? "")) {
    outgoing.writeHead(405, { allow: "GET, HEAD, POST, PUT, OPTIONS" }).end();
    return;
  }
  const response = await app.fetch(requestFrom(incoming, gone));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (incoming.method === "HEAD" || response.body === null) {
    outgoing.end();
    return;
  }
  for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}

/** The request as the web knows it; the address it came from stands in a header of ours. */
function requestFrom(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  headers.set(PEER_ADDRESS, incoming.socket.remoteAddress ?? "unknown");
  const { method = "GET", url = "/" } = incoming;
  const hasBody = !["GET", "HEAD"].includes(method);
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  // The path is taken as it came: a host in it, or none at all, changes nothing.
  return new Request(`http://server${url.startsWith("/") ? url : "/"}`, {
    method,
    headers,
    body,
    signal,
    duplex: "half",
  });
}
