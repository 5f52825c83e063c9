import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

/** Answers a request. */
export type Fetch = (request: Request) => Promise<Response>;

/** A server that listens. */
export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves requests with Node's own HTTP server; port 0 is any that is free. */
export async function listen(fetch: Fetch, { host, port }: { host: string; port: number }): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    answer(incoming, outgoing, fetch, gone.signal).catch(() => outgoing.destroy());
  }).listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  fetch: Fetch,
  gone: AbortSignal,
): Promise<void> {
  const response = await fetch(requestFrom(incoming, gone));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (incoming.method === "HEAD" || response.body === null) {
    outgoing.end();
    return;
  }
  for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}

/** The request as the web knows it. */
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
