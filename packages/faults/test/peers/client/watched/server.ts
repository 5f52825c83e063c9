// An MCP server that does its handshake well, in both eras, and whatever a test wants with a call.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Watched } from "../../../../src/client/watch/watched.ts";
import type { AnyClient, Era } from "../../peers.ts";

/** A call that has reached the server. */
interface Turn {
  /** The id of the JSON-RPC request. */
  readonly id: string | number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export type Play = (turn: Turn) => void;

/** A server that listens. */
export interface OddServer {
  readonly url: URL;
  close(): Promise<void>;
}

/** What the handshake of each era is answered with. */
export const HANDSHAKE: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "odd", version: "1.0.0" },
  },
  "server/discover": {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "odd", version: "1.0.0" } },
  },
};

/** Serves `onCall` for calls and `onGet` for streams that a client asks for; without it there are none. */
export async function serveOdd(onCall: Play, onGet?: Play): Promise<OddServer> {
  const server = createServer(async (request, response) => {
    // One connection per exchange, so that what happens to one is not met by the next.
    response.setHeader("connection", "close");
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.method === "GET" && onGet !== undefined) return onGet({ id: -1, request, response });
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const result = HANDSHAKE[method];
    if (result === undefined) return onCall({ id, request, response });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A result that the clients of both eras take. */
export function resultFor(id: string | number): string {
  const result = { resultType: "complete", content: [{ type: "text", text: "done" }] };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

const INFO = { name: "watcher", version: "1.0.0" };

/** A client of an era that is not connected yet. */
export function clientOf(era: Era): ClientV1 | ClientV2 {
  if (era === "v1") return new ClientV1(INFO);
  return new ClientV2(INFO, era === "v2 modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {});
}

/** A client that is connected through a watched fetch. */
export async function connectWatched(era: Era, url: URL, watched: Watched, options: object = {}): Promise<AnyClient> {
  const client = clientOf(era);
  const Transport = era === "v1" ? TransportV1 : TransportV2;
  await client.connect(new Transport(url, { fetch: watched.fetch, ...options }) as never);
  return client as unknown as AnyClient;
}

/** Calls the tool of the server, marked as the client kit marks its calls. */
export function callMarked(
  era: Era,
  client: AnyClient,
  mark: { readonly id: string; readonly attempt: number },
  timeout = 20_000,
): Promise<unknown> {
  const params = { name: "work", arguments: {}, _meta: { "recourse/call": { ...mark, deadlineMs: timeout } } };
  return era === "v1" ? client.callTool(params, undefined, { timeout }) : client.callTool(params, { timeout });
}
