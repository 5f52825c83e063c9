import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** Answers a request as the web knows it. */
export type Handle = (request: Request) => Promise<Response>;

/** Serves a function of requests with Node's own HTTP server. */
export function serve(handle: Handle): Server {
  return createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    answer(incoming, outgoing, handle, gone.signal).catch(() => outgoing.destroy());
  });
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: Handle,
  gone: AbortSignal,
): Promise<void> {
  const response = await handle(requestFrom(incoming, gone));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  for await (const chunk of response.body ?? []) outgoing.write(chunk);
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
