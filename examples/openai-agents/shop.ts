// A shop whose network and tools fail on purpose, over real HTTP. It counts what reaches it, and what it did.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { fail } from "@recourse/faults";
import { guard, memoryIdempotency } from "@recourse/faults/server";
import * as z from "zod";

/** It is in an error that one of the tools throws, and must never reach a model. */
export const SECRET = "hunter2-swordfish";

/** The smallest picture there is. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export interface Shop extends AsyncDisposable {
  readonly url: string;
  /** How often each tool was called, as the server counts. */
  readonly calls: Record<string, number>;
  /** What was charged, one entry for each time it happened. */
  readonly charges: number[];
  /** How many calls of `slow` were ended by the caller. */
  aborted: number;
}

export async function startShop({ guarded = true } = {}): Promise<Shop> {
  const calls: Record<string, number> = {};
  const idempotency = memoryIdempotency();
  const wrap = (server: McpServer) =>
    guarded ? guard(server, { idempotency: { store: idempotency }, sink: () => undefined }) : server;
  const handle = toNodeHandler(createMcpHandler(() => withTools(wrap(new McpServer(INFO)), shop)));

  const http = createServer(async (request, response) => {
    const tool = request.method === "POST" ? await toolCalled(request) : undefined;
    const { body } = request as WithBody;
    if (tool !== undefined) calls[tool] = (calls[tool] ?? 0) + 1;
    if (tool === "search" && calls[tool] === 1) {
      response.writeHead(429, { "retry-after": "1" }).end();
      return;
    }
    // The charge is made, and its answer is lost once.
    if (tool === "charge" && calls[tool] === 1) response.writeHead = () => response.destroy() as never;
    await handle(request, response, body);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const shop: Shop = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    calls,
    charges: [],
    aborted: 0,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
  return shop;
}

const INFO = { name: "shop", version: "1.0.0" };
const ORDER = { order: z.number().int() };
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

function withTools(server: McpServer, shop: Shop): McpServer {
  server.registerTool(
    "picture",
    { description: "Shows an order.", inputSchema: z.object(ORDER), outputSchema: z.object({ state: z.string() }) },
    async ({ order }) => ({
      content: [
        { type: "text", text: `Order ${order}:` },
        { type: "image", mimeType: "image/png", data: PNG },
        { type: "resource_link", uri: `shop://orders/${order}`, name: `order ${order}` },
      ],
      structuredContent: { state: "open" },
    }),
  );
  server.registerTool("find", { description: "Finds an order.", inputSchema: z.object(ORDER) }, async ({ order }) => {
    throw fail.not_found`There is no order ${order}.`;
  });
  server.registerTool("ship", { description: "Ships an order.", inputSchema: z.object(ORDER) }, async () => {
    throw new Error(`connect ECONNREFUSED postgres://app:${SECRET}@10.0.0.5`);
  });
  server.registerTool("search", { description: "Searches orders." }, async () => text("Orders 7 and 8."));
  server.registerTool(
    "charge",
    { description: "Charges a card.", inputSchema: z.object({ amount: z.number() }) },
    async ({ amount }) => {
      shop.charges.push(amount);
      return text(`Charged ${amount}.`);
    },
  );
  server.registerTool("slow", { description: "Takes long." }, async ({ mcpReq }) => {
    await once(mcpReq.signal, "abort");
    shop.aborted += 1;
    return text("too late");
  });
  const question = inputRequired.elicit({
    message: "Refund order 7?",
    requestedSchema: { type: "object", properties: { yes: { type: "boolean" } } },
  });
  server.registerTool("refund", { description: "Refunds an order." }, (() =>
    inputRequired({ inputRequests: { yes: question }, requestState: "1" })) as never);
  return server;
}

type WithBody = IncomingMessage & { body?: unknown };

/** The tool that a request calls; its body is kept for the handler. */
async function toolCalled(request: WithBody): Promise<string | undefined> {
  const body = (await json(request)) as { method?: string; params?: { name?: string } };
  request.body = body;
  return body.method === "tools/call" ? body.params?.name : undefined;
}
