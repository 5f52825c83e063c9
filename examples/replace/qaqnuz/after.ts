// The same server and client with Recourse.
import type { Client } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { qaqnuz } from "@recourse/dialects/qaqnuz";
import { fail } from "@recourse/faults";
import { callWithRetry as call } from "@recourse/faults/client";
import { auth } from "@recourse/faults/reasons";
import { guard, type Sink } from "@recourse/faults/server";
import * as z from "zod";
import { openShop, type Shop } from "./orders.ts";

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });

/** Creates the server. */
export function createServer(shop: Shop = openShop(), sink?: Sink): McpServer {
  const server = guard(new McpServer({ name: "orders", version: "1.0.0" }), { dialect: qaqnuz, ...(sink && { sink }) });
  const inputSchema = z.object({ order_id: z.string(), quantity: z.number().int().min(1).optional() });
  server.registerTool("cancel_order", { inputSchema }, ({ order_id }) => {
    const state = shop.orders.get(order_id);
    if (state === undefined) throw fail.not_found`There is no order ${order_id}.`;
    if (state === "shipped") throw fail.precondition_failed`Order ${order_id} was shipped.`;
    return said(`Order ${order_id} is cancelled.`);
  });
  server.registerTool("export_orders", {}, () => {
    const afterMs = shop.exportWaitMs();
    if (afterMs > 0)
      throw fail.rate_limited({ retry: { allowed: true, afterMs } })`The rate limit of exports is reached.`;
    return said([...shop.orders.keys()].join(", "));
  });
  server.registerTool("refund", {}, () => {
    throw auth.approval_required();
  });
  server.registerTool("stock", {}, async () => said(await shop.askWarehouse()));
  server.registerTool("report", {}, () => said(shop.report()));
  return server;
}

/** Calls a tool up to three times, with the waits of the document or of the server's hint. */
export function callWithRetry(client: Client, name: string, args: Record<string, unknown>, attempts = 3) {
  return call(client, name, args, { dialect: qaqnuz, attempts });
}
