// The official SDK's servers over real HTTP on loopback, with its real clients: version 2 in both eras, and version 1.
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2 } from "@modelcontextprotocol/server";

/** What every version of the client can do. */
export interface AnyClient {
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...more: unknown[]): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<unknown>;
  listTools(params?: object): Promise<unknown>;
  close(): Promise<void>;
}

/** What every version of the server can do, as far as the tests use it. */
export interface AnyServer {
  registerTool(name: string, config: object, handler: (...args: never[]) => unknown): { disable(): void };
  registerResource(name: string, uri: string, config: object, read: (...args: never[]) => unknown): unknown;
  registerPrompt(name: string, config: object, handler: (...args: never[]) => unknown): unknown;
}

export const ERAS = ["v2 modern", "v2 legacy", "v1"] as const;
export type Era = (typeof ERAS)[number];

/** A connected pair; `close` ends both. */
export interface Pair {
  readonly client: AnyClient;
  close(): Promise<void>;
}

/** Serves what `build` makes, over HTTP, and connects a client; server and client are of the same era unless told. */
export async function pairOf(era: Era, build: (server: AnyServer) => AnyServer, server: Era = era): Promise<Pair> {
  const info = { name: "peer", version: "1.0.0" };
  const http =
    server === "v1"
      ? serveV1(() => build(new McpServerV1(info) as never))
      : serveV2(() => build(new McpServerV2(info) as never));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  const client = era === "v1" ? new ClientV1(info) : new ClientV2(info, era === "v2 modern" ? MODERN : {});
  await client.connect((era === "v1" ? new TransportV1(url) : new TransportV2(url)) as never);
  return {
    client: client as unknown as AnyClient,
    async close() {
      await client.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

function serveV2(make: () => AnyServer): HttpServer {
  const handler = createMcpHandler(make as never);
  return createServer(async (request, response) => {
    const answer = await handler.fetch(await webRequest(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
}

async function webRequest(request: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
  const headers = new Headers(request.headers as Record<string, string>);
  return new Request(`http://127.0.0.1${request.url}`, {
    method: request.method ?? "GET",
    headers,
    body: body ?? null,
  });
}

function serveV1(make: () => AnyServer): HttpServer {
  return createServer(async (request: IncomingMessage, response: ServerResponse) => {
    // Without sessions every request has a server of its own.
    const server = make() as unknown as McpServerV1;
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => void server.close());
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
}
