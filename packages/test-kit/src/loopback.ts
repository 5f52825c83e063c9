// HTTP servers on 127.0.0.1 for the tests.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackServer {
  readonly url: URL;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  // A client may use a connection again however long this process stood still.
  server.keepAliveTimeout = 0;
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
export async function readWebRequest(incoming: IncomingMessage, signal?: AbortSignal): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return new Request(`http://${incoming.headers.host ?? "127.0.0.1"}${incoming.url}`, {
    method: incoming.method ?? "GET",
    headers: new Headers(incoming.headers as Record<string, string>),
    body: chunks.length === 0 ? null : Buffer.concat(chunks),
    ...(signal !== undefined && { signal }),
  });
}

// A service on loopback that answers with a given function, and records its requests.

/** A complete request, as it arrived. */
export interface Hit {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface TestUpstream {
  readonly url: string;
  /** All requests in their order. */
  readonly hits: Hit[];
  close(): Promise<void>;
}

/** Answers one request; it may end the response, leave it open or destroy it. */
export type UpstreamAnswer = (hit: Hit, response: ServerResponse) => unknown;

export async function startUpstream(answer: UpstreamAnswer): Promise<TestUpstream> {
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
  const { url, close } = await listenOnLoopback(server);
  return { url: url.origin, hits, close };
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** A call of a tool, as a client of the newer era sends it. */
export interface PostedCall {
  readonly tool: string;
  /** @default {} */
  readonly args?: object | undefined;
  /** The idempotency key. @default none */
  readonly key?: string | undefined;
  /** The API key of the caller. @default none */
  readonly apiKey?: string | undefined;
}

/** The request that makes this call, for `fetch` and the like. */
export function toolCallRequest({ tool, args = {}, key, apiKey }: PostedCall): {
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: string;
} {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    ...(key !== undefined && { "recourse/call": { key } }),
  };
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": tool,
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: args, _meta: meta },
    }),
  };
}
