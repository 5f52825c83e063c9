import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

/** Answers a web request. */
export type Fetch = (request: Request) => Promise<Response>;

/** Answers a web request; `clientAddress` is the address that it came from. */
export type RequestHandler = (request: Request, clientAddress: string) => Promise<Response>;

/** Methods that a web `Request` cannot have. */
const UNSUPPORTED_METHODS = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Serves a request handler with the HTTP server of Node. */
export function serve(handle: RequestHandler): Server {
  return createServer((incoming, outgoing) => {
    const closed = new AbortController();
    outgoing.on("close", () => closed.abort());
    handleRequest(incoming, outgoing, handle, closed.signal).catch(() => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(500).end();
    });
  });
}

async function handleRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: RequestHandler,
  signal: AbortSignal,
): Promise<void> {
  if (UNSUPPORTED_METHODS.has(incoming.method ?? "")) {
    outgoing.writeHead(405, { allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS" }).end();
    return;
  }
  const response = await handle(toWebRequest(incoming, signal), incoming.socket.remoteAddress ?? "unknown");
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (incoming.method !== "HEAD") for await (const chunk of response.body ?? []) outgoing.write(chunk);
  outgoing.end();
}

function toWebRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const { method = "GET", url = "/" } = incoming;
  const hasBody = !["GET", "HEAD"].includes(method);
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  // Only the path counts. A host in the request line, or a missing path, changes nothing.
  const address = `http://server${url.startsWith("/") ? url : "/"}`;
  return new Request(address, { method, headers, body, signal, duplex: "half" });
}

/** The address that a server listens on; port 0 is any free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A server that is listening. */
export interface RunningServer {
  readonly url: string;
  /** Stops listening, then closes what the handler uses. */
  close(): Promise<void>;
}

/** Serves a request handler at an address. `onClose` closes what the handler uses. */
export async function listen(
  handle: RequestHandler,
  { host, port }: ListenAddress,
  onClose?: () => Promise<void>,
): Promise<RunningServer> {
  const server = serve(handle).listen(port, host);
  await once(server, "listening");
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await onClose?.();
    },
  };
}
