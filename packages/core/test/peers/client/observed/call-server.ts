// An MCP server that answers the handshake of every era correctly, and leaves calls to the test.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { closeAfterTest } from "@recourse/test-kit/fixtures";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import { type AnyClient, createSdkClient, type Era } from "@recourse/test-kit/sdk-pairs";
import type { TransportObserver } from "../../../../src/client/transport/types.ts";

/** A call that reached the server. */
interface ReceivedCall {
  /** The id of the JSON-RPC request. */
  readonly id: string | number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers a call, or does something else with its connection. */
export type CallHandler = (call: ReceivedCall) => void;

/** The results of the handshake, by method. */
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

/**
 * Serves calls with `onCall` until the test ends, and event streams that a client opens with `onGet`; without `onGet` they are
 * refused.
 */
export async function serveCalls(onCall: CallHandler, onGet?: CallHandler): Promise<LoopbackServer> {
  const server = createServer(async (request, response) => {
    // One connection per exchange, so that a broken one does not affect the next exchange.
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
  return closeAfterTest(await listenOnLoopback(server));
}

/** A response with a result that the clients of every era accept. */
export function resultFor(id: string | number): string {
  const result = { resultType: "complete", content: [{ type: "text", text: "done" }] };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** Connects a client through the fetch of an observer. */
export async function connectThrough(era: Era, url: URL, observer: TransportObserver, options: object = {}) {
  const client = createSdkClient(era);
  const Transport = era === "v1" ? TransportV1 : TransportV2;
  await client.connect(new Transport(url, { fetch: observer.fetch, ...options }) as never);
  return client as unknown as AnyClient;
}

/** The same for one test, after which the client is closed. */
export const connectObserved: typeof connectThrough = async (...how) => closeAfterTest(await connectThrough(...how));

/** Calls the tool of the server with the metadata that `recourse()` adds to its calls. */
export function callWithRef(
  era: Era,
  client: AnyClient,
  ref: { readonly id: string; readonly attempt: number },
  timeout = 20_000,
): Promise<unknown> {
  const params = { name: "work", arguments: {}, _meta: { "recourse/call": { ...ref, deadlineMs: timeout } } };
  return era === "v1" ? client.callTool(params, undefined, { timeout }) : client.callTool(params, { timeout });
}
