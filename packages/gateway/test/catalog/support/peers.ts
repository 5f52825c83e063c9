// Servers behind the catalog: of the official SDKs, and one that answers with fixed texts.
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2, type ServerNotifier } from "@modelcontextprotocol/server";
import { eventually } from "@recourse/test-kit/eventually";
import { readWebRequest } from "@recourse/test-kit/loopback";

export interface Peer {
  readonly url: string;
  /** Stops listening and ends every connection; `open` listens on the same port again. */
  close(): Promise<void>;
  open(): Promise<void>;
  /** Methods of the requests that came. */
  readonly seen: string[];
  /** Requests that are being answered. */
  readonly running: ReadonlySet<IncomingMessage>;
}

/** A server of SDK v2, of the newer era. */
export async function peerV2(
  build: (server: McpServerV2) => void,
  capabilities: object = {},
): Promise<Peer & { readonly notify: ServerNotifier }> {
  const handler = createMcpHandler(() => {
    const server = new McpServerV2(
      { name: "two", version: "2.0.0" },
      { instructions: "Ask two.", capabilities: { tools: { listChanged: true }, ...capabilities } },
    );
    build(server);
    return server;
  });
  const peer = await listening(async (request, response, seen) => {
    const left = new AbortController();
    response.on("close", () => left.abort());
    const web = await readWebRequest(request, left.signal);
    seen.push(web.headers.get("mcp-method") ?? "");
    const answer = await handler.fetch(web);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  return { ...peer, notify: handler.notify };
}

/** A server of SDK v1, of the older era, without sessions. */
export function peerV1(build: (server: McpServerV1) => void): Promise<Peer> {
  return listening(async (request, response, seen) => {
    const server = new McpServerV1({ name: "one", version: "1.0.0" }, { instructions: "Ask one." });
    build(server);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on("close", () => void server.close());
    await server.connect(transport as never);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: unknown = chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
    seen.push((body as { method?: string } | undefined)?.method ?? "");
    await transport.handleRequest(request, response, body);
  });
}

/** What a peer of fixed texts answers to a request: the result as JSON text, or nothing at all. */
export type FixedAnswer = (method: string, params: Readonly<Record<string, unknown>>) => string | undefined;

/** A server of the newer era whose results are the texts that it is given. Without a text it leaves requests open. */
export function fixedPeer(answer: FixedAnswer, capabilities: object = { tools: {} }): Promise<Peer> {
  return listening(async (request, response, seen) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: number;
      method: string;
      params: Record<string, unknown>;
    };
    seen.push(method);
    const about = {
      supportedVersions: ["2026-07-28"],
      capabilities,
      resultType: "complete",
      ttlMs: 0,
      cacheScope: "private",
    };
    const result = method === "server/discover" ? JSON.stringify(about) : answer(method, params);
    if (result === undefined) return;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  });
}

type Handle = (request: IncomingMessage, response: ServerResponse, seen: string[]) => Promise<void>;

async function listening(handle: Handle): Promise<Peer> {
  const seen: string[] = [];
  const running = new Set<IncomingMessage>();
  let server: Server | undefined;
  let port = 0;
  const open = async () => {
    const next = createServer((request, response) => {
      running.add(request);
      response.on("close", () => running.delete(request));
      handle(request, response, seen).catch(() => response.destroy());
    });
    // A connection of another program may use the port for a moment.
    await eventually(() => once(next.listen(port, "127.0.0.1"), "listening"));
    port = (next.address() as AddressInfo).port;
    server = next;
  };
  const close = async () => {
    const closing = server;
    server = undefined;
    closing?.closeAllConnections();
    await new Promise<void>((resolve) => (closing === undefined ? resolve() : closing.close(() => resolve())));
  };
  await open();
  return { url: `http://127.0.0.1:${port}/mcp`, close, open, seen, running };
}
