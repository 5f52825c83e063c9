// Servers and clients of the official SDK, connected over HTTP on loopback or over stdio: version 2 in both eras, and version 1.
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { bundleProgram } from "./bundle.ts";
import { listenOnLoopback, readWebRequest } from "./loopback.ts";

/** The methods that the clients of both versions share. */
export interface AnyClient {
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...more: unknown[]): Promise<unknown>;
  readResource(params: { uri: string }): Promise<unknown>;
  getPrompt(params: { name: string; arguments?: Record<string, string> }): Promise<unknown>;
  listTools(params?: object): Promise<unknown>;
  getServerCapabilities(): { readonly extensions?: Readonly<Record<string, unknown>> } | undefined;
  request(request: { method: string; params?: object }, result: object): Promise<unknown>;
  close(): Promise<void>;
}

/** The methods that the servers of both versions share. */
export interface AnyServer {
  registerTool(name: string, config: object, handler: (...args: never[]) => unknown): { disable(): void };
  registerResource(name: string, uri: unknown, config: object, read: (...args: never[]) => unknown): unknown;
  registerPrompt(name: string, config: object, handler: (...args: never[]) => unknown): unknown;
}

/** A version of the SDK, and for version 2 the revision that it negotiates: 2026-07-28 or an older one. */
export const ERAS = ["v2 modern", "v2 legacy", "v1"] as const;
export type Era = (typeof ERAS)[number];

export type SdkVersion = "v1" | "v2";
export const sdkVersion = (era: Era): SdkVersion => (era === "v1" ? "v1" : "v2");

/** Every server with every client that can talk to it. */
export const SERVER_CLIENT_ERAS: readonly (readonly [server: Era, client: Era])[] = [
  ["v2 modern", "v2 modern"],
  ["v2 modern", "v2 legacy"],
  ["v2 modern", "v1"],
  ["v1", "v1"],
  ["v1", "v2 legacy"],
];

interface WireAnswer {
  readonly message: unknown;
  readonly status?: number | undefined;
}

/** A connected pair; `close` ends both. */
export interface SdkPair {
  readonly client: AnyClient;
  /** Takes the last answer. It is empty when no answer came since the last time. */
  take(): WireAnswer;
  close(): Promise<void>;
}

const INFO = { name: "peer", version: "1.0.0" };

/** A client that is not connected yet. */
export function createSdkClient(era: Era): ClientV1 | ClientV2 {
  if (era === "v1") return new ClientV1(INFO);
  return new ClientV2(INFO, era === "v2 modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {});
}

/** Serves a server of the SDK over HTTP and connects a client. The server has the era of the client by default. */
export function connectPair(era: Era, build: (server: AnyServer) => AnyServer, server: Era = era): Promise<SdkPair> {
  const make = () => build((server === "v1" ? new McpServerV1(INFO) : new McpServerV2(INFO)) as never);
  return connectHttpPair(era, make, sdkVersion(server));
}

/** Serves what `make` creates over HTTP and connects a client. */
export async function connectHttpPair(
  era: Era,
  make: () => object,
  server: SdkVersion = sdkVersion(era),
): Promise<SdkPair> {
  const http = await listenOnLoopback(server === "v1" ? serveV1(make) : serveV2(make));
  let status: number | undefined;
  const recordStatus: typeof fetch = async (...args) => {
    const response = await fetch(...args);
    status = response.status;
    return response;
  };
  const options = { fetch: recordStatus };
  const transport = era === "v1" ? new TransportV1(http.url, options) : new TransportV2(http.url, options);
  const { client, take } = await connectClient(era, transport);
  return {
    client,
    take: () => ({ message: take(), status }),
    async close() {
      await client.close();
      await http.close();
    },
  };
}

/** Starts a server as a process and connects a client over stdio. */
export async function connectStdioPair(era: Era, entry: URL, args: readonly string[]): Promise<SdkPair> {
  const parameters = { command: process.execPath, args: [await bundleProgram(entry), ...args] };
  const transport = era === "v1" ? new StdioV1(parameters) : new StdioV2(parameters);
  const { client, take } = await connectClient(era, transport);
  return { client, take: () => ({ message: take() }), close: () => client.close() };
}

/** Connects a client and keeps the last message that arrived. */
async function connectClient(era: Era, transport: object): Promise<{ client: AnyClient; take: () => unknown }> {
  const client = createSdkClient(era);
  let message: unknown;
  // A listener that is set before the connection is called before that of the client.
  Object.assign(transport, { onmessage: (received: unknown) => (message = received) });
  await client.connect(transport as never);
  const take = (): unknown => {
    const taken = message;
    message = undefined;
    return taken;
  };
  return { client: client as unknown as AnyClient, take };
}

function serveV2(make: () => object): HttpServer {
  const handler = createMcpHandler(make as never);
  return createServer(async (request, response) => {
    const answer = await handler.fetch(await readWebRequest(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
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
