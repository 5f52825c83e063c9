// The server of the abuse run: a guarded MCP server with tools that misbehave, and a bridge to a service that fails.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { openapi } from "@recourse/bridge";
import { guard, guardHandler, memoryIdempotency } from "@recourse/core/server";
import * as z from "zod";
import { webRequest } from "../../bench/web-request.ts";

/** What the process uses at one moment. */
export interface AbuseSample {
  readonly rssMib: number;
  readonly heapMib: number;
  readonly handles: number;
  readonly loopMs: number;
}

const MIB = 1_024 * 1_024;
const sink = () => {};

const service = createServer((request, response) => {
  const id = Number(request.url?.split("/").at(-1));
  if (id === 0) return void request.socket.destroy();
  if (id === 1) return void setTimeout(() => response.end("{}"), 5_000);
  const body = JSON.stringify({ detail: "db at 10.0.0.7", fault: { v: 1, kind: "timeout", effect: "none" } });
  response.writeHead(id < 6 ? 500 : 404, { "content-type": "application/json" }).end(body);
});
await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));

const bridge = await openapi(
  {
    openapi: "3.1.0",
    info: { title: "Things", version: "1" },
    paths: {
      "/things/{id}": {
        get: {
          operationId: "getThing",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: { 200: { description: "", content: { "application/json": {} } } },
        },
      },
    },
  },
  {
    server: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    network: { allowPrivate: true, deadlineMs: 1_000 },
    sink,
  },
);

const idempotency = memoryIdempotency({ keepMs: 30_000 });

function createMcpServer(): McpServer {
  const server = new McpServer({ name: "abused", version: "1.0.0" });
  guard(server, { sink, idempotency: { store: idempotency }, deadlineMs: 500 });
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  server.registerTool("throws", {}, () => {
    throw new Error("password=hunter2 at postgres://user:pw@10.0.0.5/prod");
  });
  server.registerTool("hangs", {}, () => new Promise(() => {}));
  server.registerTool("large", {}, () => ({ content: [{ type: "text", text: "x".repeat(200_000) }] }));
  bridge.register(server, { sink });
  return server;
}

const authenticate = (request: Request) =>
  request.headers.get("authorization") === "Bearer right"
    ? ({ ok: true, auth: { token: "right", clientId: "c", scopes: [], extra: { sub: "user" } } } as const)
    : ({ ok: false } as const);
const handler = guardHandler(createMcpHandler(createMcpServer), {
  sink,
  auth: { authenticate },
  body: { timeoutMs: 1_000 },
});

const front = createServer(async (request, response) => {
  const answer = await handler.fetch(webRequest(request)).catch(() => new Response(null, { status: 500 }));
  response.on("error", () => undefined);
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
});
process.on("uncaughtException", (error) => {
  console.error("uncaught", error);
  process.exit(1);
});

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
process.on("message", () => {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  process.send?.({ rssMib: rss / MIB, heapMib: heapUsed / MIB, handles, loopMs: delay.percentile(99) / 1e6 });
  delay.reset();
});
process.on("disconnect", () => process.exit());
front.listen(0, "127.0.0.1", () => process.send?.({ port: (front.address() as AddressInfo).port }));
