// Servers of the official SDK over HTTP: version 2 in both eras, and version 1 with and without sessions.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler, McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import * as z from "zod";

const INFO = { name: "shop", version: "1.0.0" };
const OPTIONS = { instructions: "Ask.", capabilities: { logging: {} } };

/** A server with its sessions, where it has some. */
export interface SdkServer extends LoopbackServer {
  /** Ids of the sessions that are open. */
  readonly sessions: ReadonlyMap<string, unknown>;
  /** How many sessions were ever opened. */
  opened(): number;
  /** Forgets all sessions, as a restart does. */
  forget(): void;
}

type Extra = {
  readonly sendNotification: (notification: object) => Promise<void>;
  readonly sendRequest: (request: object, result: object) => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number };
};

/** Calls that wait until they are cancelled, and those that their caller has cancelled, by name of the server. */
export const waiting: string[] = [];
export const cancelled: string[] = [];

function buildV1(): McpServerV1 {
  const server = new McpServerV1(INFO, OPTIONS);
  let count = 0;
  server.registerTool("echo", { inputSchema: { text: z.string() } }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  server.registerTool("count", {}, () => {
    count += 1;
    return { content: [{ type: "text", text: String(count) }] };
  });
  server.registerTool("progress", {}, async (extra) => {
    const { sendNotification, _meta } = extra as unknown as Extra;
    for (const progress of [1, 2]) {
      const params = { progressToken: _meta?.progressToken, progress };
      await sendNotification({ method: "notifications/progress", params });
    }
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("ask", {}, async (extra) => {
    const { sendRequest } = extra as unknown as Extra;
    const ask = (method: string) =>
      sendRequest({ method }, z.looseObject({})).then(
        () => "answered",
        ({ code }: { code?: number }) => `refused ${code}`,
      );
    return { content: [{ type: "text", text: `${await ask("ping")}, ${await ask("roots/list")}` }] };
  });
  server.registerTool("wait", {}, async (extra) => {
    const { signal } = extra as unknown as Extra;
    waiting.push("v1");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    cancelled.push("v1");
    return { content: [] };
  });
  return server;
}

/** Version 1 with a session for each client. */
export async function startV1(options: { readonly json: boolean }): Promise<SdkServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  let opened = 0;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const id = request.headers["mcp-session-id"] as string | undefined;
    const known = id === undefined ? undefined : sessions.get(id);
    if (known !== undefined) {
      await known.handleRequest(request, response);
      return;
    }
    if (id !== undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: options.json,
      onsessioninitialized: (created) => {
        opened += 1;
        sessions.set(created, transport);
      },
      onsessionclosed: (closed) => void sessions.delete(closed),
    });
    await buildV1().connect(transport as never);
    await transport.handleRequest(request, response);
  });
  return { ...(await listenOnLoopback(server)), sessions, opened: () => opened, forget: () => sessions.clear() };
}

/** Version 1 without sessions: a server for each request. */
export async function startV1Stateless(): Promise<SdkServer> {
  let opened = 0;
  const server = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    opened += 1;
    const one = buildV1();
    response.on("close", () => void one.close());
    await one.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  return { ...(await listenOnLoopback(server)), sessions: new Map(), opened: () => opened, forget: () => {} };
}

function buildV2(): McpServerV2 {
  const server = new McpServerV2(INFO, OPTIONS);
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  const region = z.string().meta({ "x-mcp-header": "Region" });
  server.registerTool("region", { inputSchema: z.object({ region }) }, (args) => ({
    content: [{ type: "text", text: args.region }],
  }));
  server.registerPrompt("grüße 1", {}, () => ({
    messages: [{ role: "user", content: { type: "text", text: "hallo" } }],
  }));
  server.registerTool("progress", { inputSchema: z.object({}) }, async (_args, context) => {
    const { mcpReq } = context as unknown as {
      mcpReq: { notify(n: object): Promise<void>; _meta?: { progressToken?: string } };
    };
    for (const progress of [1, 2]) {
      const params = { progressToken: mcpReq._meta?.progressToken, progress };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("wait", { inputSchema: z.object({}) }, async (_args, context) => {
    const { mcpReq } = context as unknown as { mcpReq: { signal: AbortSignal } };
    waiting.push("v2");
    await new Promise<void>((resolve) => mcpReq.signal.addEventListener("abort", () => resolve(), { once: true }));
    cancelled.push("v2");
    return { content: [] };
  });
  return server;
}

/** Version 2, which serves both eras at one address. */
export async function startV2(): Promise<LoopbackServer> {
  const handler = createMcpHandler(buildV2 as never);
  const serve = toNodeHandler(handler as never);
  const server: Server = createServer((request, response) => void serve(request as never, response as never));
  return listenOnLoopback(server);
}
