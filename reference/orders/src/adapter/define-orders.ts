import { type AdapterType, defineAdapter, type ToolSpec } from "@recourse/bridge";
import { adapter } from "@recourse/faults/reasons";
import * as z from "zod";
import type { OrderBackend } from "../orders/backend.ts";
import { FAILURES, type FailureIdentifier } from "../orders/failures.ts";
import { newOrder, orderFilter, orderId } from "../orders/order.ts";

/** Defines an adapter for orders: the same tools and failures over any backend. */
export function defineOrders<Config>(
  open: (config: Config, signal: AbortSignal) => OrderBackend | Promise<OrderBackend>,
): AdapterType<Config, FailureIdentifier> {
  return defineAdapter({
    name: "orders",
    faults: FAILURES,
    lifecycle: {
      initialise: open,
      close: (backend) => backend.close(),
    },
    tools: TOOLS,
  });
}

type OrderTool<Schema> = ToolSpec<Schema, OrderBackend, typeof FAILURES>;

/** Infers the type of the arguments from the schema of the tool. */
function defineTool<Schema>(spec: OrderTool<Schema>): OrderTool<Schema> {
  return spec;
}

const orderArgument = z.object({ order_id: orderId });
const READ_ONLY = { readOnlyHint: true, idempotentHint: true } as const;

/** The tools, for every backend. */
const TOOLS = {
  get_order: defineTool({
    description: "Looks up an order.",
    inputSchema: orderArgument,
    annotations: READ_ONLY,
    fails: ["ORDER_NOT_FOUND", "ORDER_INCONSISTENT"],
    handler: async ({ order_id }, { backend, signal, idempotencyKey }) =>
      toResult(await backend.get(order_id, { signal, idempotencyKey })),
  }),
  list_orders: defineTool({
    description: "Lists the latest orders of a customer.",
    inputSchema: orderFilter,
    annotations: READ_ONLY,
    fails: ["ORDER_INCONSISTENT"],
    handler: async (filter, { backend, signal, idempotencyKey }) =>
      toResult({ orders: await backend.list(filter, { signal, idempotencyKey }) }),
  }),
  place_order: defineTool({
    description: "Places an order.",
    inputSchema: newOrder,
    annotations: { readOnlyHint: false, destructiveHint: false },
    fails: ["OUT_OF_STOCK", "TOO_MANY_ORDERS", "KEY_REUSED"],
    handler: async (order, { backend, signal, idempotencyKey }) =>
      toResult(await backend.place(order, { signal, idempotencyKey })),
  }),
  cancel_order: defineTool({
    description: "Cancels an order that is not shipped yet, and puts its articles back.",
    inputSchema: orderArgument,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    fails: ["ORDER_NOT_FOUND", "INVALID_ORDER_STATE"],
    handler: async ({ order_id }, { backend, signal, idempotencyKey }) =>
      toResult(await backend.cancel(order_id, { signal, idempotencyKey })),
  }),
  track_shipment: defineTool({
    description: "Tells where the parcel of an order is.",
    inputSchema: orderArgument,
    annotations: READ_ONLY,
    fails: ["ORDER_NOT_FOUND"],
    handler: async ({ order_id }, { backend, signal, idempotencyKey }) => {
      if (backend.track === undefined) throw adapter.not_implemented();
      return toResult(await backend.track(order_id, { signal, idempotencyKey }));
    },
  }),
};

function toResult(payload: object): object {
  return { content: [{ type: "text", text: JSON.stringify(payload) }], structuredContent: payload };
}
