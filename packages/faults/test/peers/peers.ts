// The official SDK's servers with its real clients, over HTTP on loopback or stdio: version 2 in both eras, and version 1.
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
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
  getServerCapabilities(): { readonly extensions?: Readonly<Record<string, unknown>> } | undefined;
  request(request: { method: string; params?: object }, result: object): Promise<unknown>;
  close(): Promise<void>;
}

/** What every version of the server can do, as far as the tests use it. */
export interface AnyServer {
  registerTool(name: string, config: object, handler: (...args: never[]) => unknown): { disable(): void };
  registerResource(name: string, uri: unknown, config: object, read: (...args: never[]) => unknown): unknown;
  registerPrompt(name: string, config: object, handler: (...args: never[]) => unknown): unknown;
}

export const ERAS = ["v2 modern", "v2 legacy", "v1"] as const;
export type Era = (typeof ERAS)[number];

/** A version of the SDK. */
export type Version = "v1" | "v2";
export const versionOf = (era: Era): Version => (era === "v1" ? "v1" : "v2");

/** An answer as it came over the wire. */
interface Answer {
  readonly message: unknown;
  /** HTTP status. */
  readonly status?: number | undefined;
}

/** A connected pair; `close` ends both. */
export interface Pair {
  readonly client: AnyClient;
  /** The last answer since the one before was taken. */
  take(): Answer;
  close(): Promise<void>;
}

const INFO = { name: "peer", version: "1.0.0" };

/** Serves what `build` makes, over HTTP, and connects a client; server and client are of the same era unless told. */
export function pairOf(era: Era, build: (server: AnyServer) => AnyServer, server: Era = era): Promise<Pair> {
  const make = () => build((server === "v1" ? new McpServerV1(INFO) : new McpServerV2(INFO)) as never);
  return httpPairOf(era, make, versionOf(server));
}

/** Serves what `make` makes, over HTTP, and connects a client. */
export async function httpPairOf(era: Era, make: () => object, server: Version = versionOf(era)): Promise<Pair> {
  const http = server === "v1" ? serveV1(make) : serveV2(make);
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  let status: number | undefined;
  const watched: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    status = response.status;
    return response;
  };
  const options = { fetch: watched };
  const { client, take } = await connected(
    era,
    era === "v1" ? new TransportV1(url, options) : new TransportV2(url, options),
  );
  return {
    client,
    take: () => ({ message: take(), status }),
    async close() {
      await client.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Starts a server as a process of its own, and connects a client to it over stdio. */
export async function stdioPairOf(era: Era, entry: URL, args: readonly string[]): Promise<Pair> {
  const child = { command: process.execPath, args: [fileURLToPath(entry), ...args] };
  const transport = era === "v1" ? new StdioV1(child) : new StdioV2(child);
  const { client, take } = await connected(era, transport);
  return { client, take: () => ({ message: take() }), close: () => client.close() };
}

/** Connects a client, and keeps the last message that came. */
async function connected(era: Era, transport: object): Promise<{ client: AnyClient; take: () => unknown }> {
  const client = era === "v1" ? new ClientV1(INFO) : new ClientV2(INFO, era === "v2 modern" ? MODERN : {});
  let message: unknown;
  // What is set before the connection is made is called before the client's own.
  Object.assign(transport, { onmessage: (one: unknown) => (message = one) });
  await client.connect(transport as never);
  const take = (): unknown => {
    const taken = message;
    message = undefined;
    return taken;
  };
  return { client: client as unknown as AnyClient, take };
}

const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;

function serveV2(make: () => object): HttpServer {
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

function serveV1(make: () => object): HttpServer {
  return createServer(async (request: IncomingMessage, response: ServerResponse) => {
    // Without sessions every request has a server of its own.
    const server = make() as McpServerV1;
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => void server.close());
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
}
