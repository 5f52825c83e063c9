import { McpServer } from "@modelcontextprotocol/server";
import { AdapterError, type AdapterOptions, defineAdapter } from "@recourse/bridge";
import { slot } from "@recourse/faults";
import * as z from "zod";
import { openWarehouse } from "./warehouse.ts";

export const warehouse = defineAdapter({
  name: "warehouse",
  // Every failure that a caller can act on, in words that are meant for a model.
  faults: {
    ORDER_NOT_FOUND: { kind: "not_found", text: "There is no such order." },
    INSUFFICIENT_STOCK: {
      kind: "precondition_failed",
      text: "Only {left} are in stock.",
      slots: { left: slot.integer },
      recourse: [{ do: "fix_input", fields: ["/quantity"] }],
    },
    STOCKTAKING: {
      kind: "overloaded",
      text: "The warehouse is taking stock.",
      retry: { allowed: true, afterMs: 60_000 },
    },
  },
  lifecycle: {
    initialise: (config: { readonly url: string }, signal) => openWarehouse(config.url, signal),
    health: (backend, signal) => backend.ping(signal),
    close: (backend) => backend.end(),
  },
  tools: {
    get_order: {
      description: "Looks an order up.",
      inputSchema: z.object({ order: z.string() }),
      annotations: { readOnlyHint: true },
      fails: ["ORDER_NOT_FOUND"],
      handler: async ({ order }, { backend, signal }) => {
        const state = await backend.find(order, signal);
        if (state === undefined) throw new AdapterError("ORDER_NOT_FOUND");
        return { content: [{ type: "text", text: state }] };
      },
    },
    place_order: {
      description: "Orders something.",
      inputSchema: z.object({ article: z.string(), quantity: z.number().int().min(1) }),
      timeoutMs: 5_000,
      handler: async ({ article, quantity }, { backend, key }) => {
        const { left, order } = await backend.order(article, quantity, key);
        if (order === undefined) throw new AdapterError("INSUFFICIENT_STOCK", { params: { left } });
        return { content: [{ type: "text", text: `Order ${order} is placed.` }] };
      },
    },
  },
});

/** The adapter over one warehouse, and a maker of servers: over HTTP there is one for each request. */
export function createService(url: string, options: AdapterOptions = {}) {
  const adapter = warehouse.create({ url }, { sink: () => {}, ...options });
  const createServer = () => adapter.register(new McpServer({ name: "warehouse", version: "1.0.0" }));
  return { adapter, createServer };
}
