// HTTP servers on 127.0.0.1 for the tests.
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that listens. */
export interface LoopbackServer {
  readonly url: URL;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** Lets a server listen on a free port. */
export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A request of Node as a `Request` of the web platform. */
export async function toWebRequest(incoming: IncomingMessage, signal?: AbortSignal): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return new Request(`http://${incoming.headers.host ?? "127.0.0.1"}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers: new Headers(incoming.headers as Record<string, string>),
    body: chunks.length === 0 ? null : Buffer.concat(chunks),
    ...(signal !== undefined && { signal }),
  });
}
