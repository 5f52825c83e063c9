import { McpServer } from "@modelcontextprotocol/server";
import { defineReasons, fail, slot } from "@recourse/faults";
import { declares, guard } from "@recourse/faults/server";
import * as z from "zod";

const orders = defineReasons("orders", {
  not_found: { kind: "not_found", text: "There is no order {order}.", slots: { order: slot.integer } },
  shipped: {
    kind: "precondition_failed",
    text: "Order {order} is on its way already.",
    slots: { order: slot.integer },
    details: { recourse: [{ do: "do_first", tool: "recall_order" }] },
  },
});

/** A server with one tool; the guard is the one line that is not the SDK's. */
export function createServer(): McpServer {
  const server = guard(new McpServer({ name: "orders", version: "1.0.0" }), { name: "orders", sink: () => {} });
  server.registerTool(
    "cancel_order",
    {
      description: "Cancels an order that has not been shipped.",
      inputSchema: z.object({ order: z.number().int().min(1), reason: z.enum(["customer", "stock"]) }),
      _meta: declares(orders.not_found, orders.shipped),
    },
    async ({ order }) => {
      if (order === 1) throw orders.not_found({ order });
      if (order === 2) throw orders.shipped({ order });
      if (order === 3) throw fail.conflict`Order ${order} was changed a moment ago.`;
      if (order === 4) throw new Error("connect ECONNREFUSED 10.0.0.5:5432");
      return { content: [{ type: "text", text: `Order ${order} is cancelled.` }] };
    },
  );
  return server;
}
