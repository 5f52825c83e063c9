// The same server with Recourse.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { defineAdapter } from "@recourse/bridge";
import { onx } from "@recourse/dialects/onx";
import { slot } from "@recourse/faults";
import { guard, type Sink } from "@recourse/faults/server";
import * as z from "zod";
import type { Shop } from "./shop.ts";

const orders = defineAdapter({
  name: "shop",
  faults: {
    ORDER_NOT_FOUND: { kind: "not_found", text: "Order {id} does not exist.", slots: { id: slot.text(20) } },
    OUT_OF_STOCK: { kind: "precondition_failed", text: "{sku} is out of stock.", slots: { sku: slot.text(20) } },
  },
  lifecycle: { initialise: (shop: Shop) => shop },
  tools: {
    get_order: {
      description: "Looks up an order.",
      inputSchema: z.object({ order_id: z.string().regex(/^ORD-\d+$/) }),
      annotations: { readOnlyHint: true },
      handler: async ({ order_id: id }, { backend, fail }) => {
        const order = await backend.find(id);
        if (order === undefined) throw fail("ORDER_NOT_FOUND", { id });
        return { content: [{ type: "text", text: JSON.stringify(order) }] };
      },
    },
    place_order: {
      description: "Places an order.",
      inputSchema: z.object({ order: z.object({ sku: z.string() }) }),
      handler: async ({ order: { sku } }, { backend, fail }) => {
        const id = await backend.place(sku);
        if (id === undefined) throw fail("OUT_OF_STOCK", { sku });
        return { content: [{ type: "text", text: JSON.stringify({ id }) }] };
      },
    },
  },
});

export function after(shop: Shop, sink: Sink) {
  const adapter = orders.create(shop);
  return createMcpHandler(() =>
    adapter.register(guard(new McpServer({ name: "shop", version: "1.0.0" }), { dialect: onx, sink })),
  );
}
