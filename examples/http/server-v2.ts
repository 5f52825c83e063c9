import { McpServer } from "@modelcontextprotocol/server";
import { fail } from "@recourse/faults";
import { guard, memoryIdempotency } from "@recourse/faults/server";
import * as z from "zod";

const orders = new Set([7]);
const idempotency = memoryIdempotency();

/** A guarded server of SDK 2.x. */
export function createServer(): McpServer {
  const server = guard(new McpServer({ name: "orders", version: "1.0.0" }), { idempotency: { store: idempotency } });
  server.registerTool("whoami", { description: "Names the caller." }, (context) => ({
    content: [{ type: "text", text: context.http?.authInfo?.clientId ?? "nobody" }],
  }));
  server.registerTool(
    "cancel_order",
    { description: "Cancels an order.", inputSchema: z.object({ order: z.number().int() }) },
    ({ order }) => {
      if (!orders.has(order)) throw fail.not_found`There is no order ${order}.`;
      return { content: [{ type: "text", text: `Order ${order} is cancelled.` }] };
    },
  );
  return server;
}
