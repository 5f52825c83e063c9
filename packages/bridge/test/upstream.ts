// A service on loopback that answers with a given function, and records its requests.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A complete request, as it arrived. */
export interface Hit {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A running service. */
export interface Upstream {
  readonly url: string;
  /** All requests in their order. */
  readonly hits: Hit[];
  close(): Promise<void>;
}

/** Answers one request; it may end the response, leave it open or destroy it. */
export type Answer = (hit: Hit, response: ServerResponse) => unknown;

/** Starts a service. */
export async function startUpstream(answer: Answer): Promise<Upstream> {
  const hits: Hit[] = [];
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = "", url = "", headers } = request;
      const hit = { method, target: url, headers, body: Buffer.concat(chunks) };
      hits.push(hit);
      await answer(hit, response);
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
