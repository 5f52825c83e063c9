import type { Bridge } from "@recourse/bridge";
import * as z from "zod";
import type { OrderBackend, OrderCall } from "../orders/backend.ts";
import { order, shipment } from "../orders/order.ts";
import { failedCall } from "./failed-call.ts";

const orders = z.object({ items: z.array(order) });

/** Orders of a service that is reached over a bridge. What it answers is checked: it is somebody else's. */
export function restBackend(bridge: Bridge): OrderBackend {
  async function ask<T>(schema: z.ZodType<T>, operation: string, args: object, call: OrderCall): Promise<T> {
    const outcome = await bridge.call(operation, args, call);
    if (!outcome.ok) throw failedCall(outcome);
    return schema.parse(outcome.result.structuredContent);
  }
  return {
    get: (order_id, call) => ask(order, "getOrder", { order_id }, call),
    // A list comes from the bridge as `items`.
    list: async (filter, call) => (await ask(orders, "listOrders", filter, call)).items,
    place: (wanted, call) => ask(order, "placeOrder", wanted, call),
    cancel: (order_id, call) => ask(order, "cancelOrder", { order_id }, call),
    track: (order_id, call) => ask(shipment, "trackShipment", { order_id }, call),
    ping: (signal) => ask(z.unknown(), "health", {}, { signal }),
    close: () => bridge.close(),
  };
}
