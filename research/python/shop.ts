// The shop of python/peers/shop_server.py in TypeScript, guarded, over HTTP.
import { createServer } from "node:http";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { defineReason, fail } from "@recourse/core";
import { guard, guardHandler } from "@recourse/core/server";
import { type LoopbackServer, listenOnLoopback, readWebRequest } from "@recourse/test-kit/loopback";
import * as z from "zod";

const SECRET = "connection to db.internal lost, password=hunter2";
const tooMany = defineReason("shop/too_many", { kind: "rate_limited", text: "Too many orders at once." });
const READS = { annotations: { readOnlyHint: true } };
const order = { inputSchema: z.object({ order: z.number().int() }) };

/** Starts the shop. Incidents go to `report`. */
export async function startShop(report: (id: string) => void): Promise<LoopbackServer> {
  const make = () => {
    const shop = guard(new McpServer({ name: "shop", version: "1.0.0" }), {
      sink: ({ fault }) => {
        if (fault.incident !== undefined) report(fault.incident);
      },
    });
    shop.registerTool("accident", order, async () => {
      throw new Error(SECRET);
    });
    shop.registerTool("accident_reading", { ...order, ...READS }, async () => {
      throw new Error(SECRET);
    });
    shop.registerTool("not_there", { ...order, ...READS }, async ({ order: id }) => {
      throw fail.not_found`There is no order ${id}. Call list_orders first.`;
    });
    shop.registerTool("sentence", {}, async () => ({
      isError: true,
      content: [{ type: "text", text: "Insufficient funds on this account." }],
    }));
    shop.registerTool("returned", {}, async () => ({
      isError: true,
      content: [{ type: "text", text: "Closed on Sundays." }],
    }));
    shop.registerTool("arguments", { inputSchema: z.object({ count: z.number().int() }) }, async ({ count }) => ({
      content: [{ type: "text", text: String(count) }],
    }));
    shop.registerTool("busy", {}, async () => {
      throw tooMany({}, { retry: { allowed: true, afterMs: 50 } });
    });
    shop.registerTool("bad_result", { outputSchema: z.object({ count: z.number() }) }, async () => ({
      content: [],
      structuredContent: { count: SECRET as never },
    }));
    shop.registerTool("slow", {}, async () => {
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return { content: [{ type: "text", text: "late" }] };
    });
    return shop;
  };
  const handler = guardHandler(createMcpHandler(make), { name: "shop" });
  const server = createServer(async (incoming, outgoing) => {
    const response = await handler.fetch(await readWebRequest(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const piece of response.body ?? []) outgoing.write(piece);
    outgoing.end();
  });
  return listenOnLoopback(server);
}
