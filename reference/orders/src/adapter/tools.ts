import type { ToolSpec } from "@recourse/bridge";
import { adapter } from "@recourse/faults";
import * as z from "zod";
import type { OrderBackend } from "../orders/backend.ts";
import type { FailureName } from "../orders/failures.ts";
import { newOrder, orderFilter, orderId } from "../orders/order.ts";

/** Gives a tool its types. */
function tool<Schema>(spec: ToolSpec<Schema, OrderBackend, FailureName>): ToolSpec<Schema, OrderBackend, FailureName> {
  return spec;
}

const oneOrder = z.object({ order_id: orderId });
const READS = { readOnlyHint: true, idempotentHint: true } as const;

/** The tools, whichever backend they work on. */
export const TOOLS = {
  get_order: tool({
    description: "Looks up an order.",
    inputSchema: oneOrder,
    annotations: READS,
    fails: ["ORDER_NOT_FOUND", "ORDER_INCONSISTENT"],
    handler: async ({ order_id }, { backend, ...call }) => shown(await backend.get(order_id, call)),
  }),
  list_orders: tool({
    description: "Lists the latest orders of a customer.",
    inputSchema: orderFilter,
    annotations: READS,
    fails: ["ORDER_INCONSISTENT"],
    handler: async (filter, { backend, ...call }) => shown({ orders: await backend.list(filter, call) }),
  }),
  place_order: tool({
    description: "Places an order.",
    inputSchema: newOrder,
    annotations: { readOnlyHint: false, destructiveHint: false },
    fails: ["OUT_OF_STOCK", "TOO_MANY_ORDERS", "KEY_REUSED"],
    handler: async (order, { backend, ...call }) => shown(await backend.place(order, call)),
  }),
  cancel_order: tool({
    description: "Cancels an order that is not shipped yet, and puts its articles back.",
    inputSchema: oneOrder,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    fails: ["ORDER_NOT_FOUND", "INVALID_ORDER_STATE"],
    handler: async ({ order_id }, { backend, ...call }) => shown(await backend.cancel(order_id, call)),
  }),
  track_shipment: tool({
    description: "Tells where the parcel of an order is.",
    inputSchema: oneOrder,
    annotations: READS,
    fails: ["ORDER_NOT_FOUND"],
    handler: async ({ order_id }, { backend, ...call }) => {
      if (backend.track === undefined) throw adapter.not_implemented();
      return shown(await backend.track(order_id, call));
    },
  }),
};

function shown(payload: object): object {
  return { content: [{ type: "text", text: JSON.stringify(payload) }], structuredContent: payload };
}
