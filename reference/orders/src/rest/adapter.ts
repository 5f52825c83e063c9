import { type Bridge, bearer, openapi } from "@recourse/bridge";
import type { Sink } from "@recourse/faults/server";
import * as z from "zod";
import { defineOrders } from "../adapter/define-orders.ts";
import type { OrderBackend, OrderCall } from "../orders/backend.ts";
import { order, shipment } from "../orders/order.ts";
import { toCallError } from "./call-error.ts";

/** Options of the REST service. */
export interface OrdersServiceOptions {
  readonly url: string;
  /** The key of this server. */
  readonly key: string;
  /**
   * Private addresses that may be reached, such as `["127.0.0.0/8"]` for a service on this machine.
   *
   * @default []
   */
  readonly allowPrivate?: readonly string[];
  /**
   * How long a call may take, in ms.
   *
   * @default 5_000
   */
  readonly deadlineMs?: number;
  /**
   * Receives failures that callers cannot correct, such as a refused key.
   *
   * @default `stderrSink()`
   */
  readonly sink?: Sink;
}

const OPENAPI_DOCUMENT = new URL("openapi.yaml", import.meta.url);

/** The order tools on a REST service. */
export const restOrders = defineOrders(async (options: OrdersServiceOptions, signal) => {
  const { url, key, allowPrivate = [], deadlineMs = 5_000, sink } = options;
  const bridge = await openapi(OPENAPI_DOCUMENT, {
    server: url,
    name: "orders",
    credential: bearer(key),
    // The body names the failure. It is parsed here, and never passed on.
    foreignText: "raw",
    network: { allowPrivate, deadlineMs },
    signal,
    ...(sink && { sink }),
  });
  bridge.operation("placeOrder", { idempotencyHeader: "Idempotency-Key" });
  bridge.operation("cancelOrder", { annotations: { idempotentHint: true } });
  return restBackend(bridge);
});

const orders = z.object({ items: z.array(order) });

/** The orders of a REST service. Its answers are checked, because the service belongs to someone else. */
function restBackend(bridge: Bridge): OrderBackend {
  async function ask<T>(schema: z.ZodType<T>, operation: string, args: object, call: OrderCall): Promise<T> {
    const outcome = await bridge.call(operation, args, call);
    if (!outcome.ok) throw toCallError(outcome);
    return schema.parse(outcome.result.structuredContent);
  }
  return {
    get: (order_id, call) => ask(order, "getOrder", { order_id }, call),
    // The bridge returns a list as `items`.
    list: async (filter, call) => (await ask(orders, "listOrders", filter, call)).items,
    place: (wanted, call) => ask(order, "placeOrder", wanted, call),
    cancel: (order_id, call) => ask(order, "cancelOrder", { order_id }, call),
    track: (order_id, call) => ask(shipment, "trackShipment", { order_id }, call),
    ping: (signal) => ask(z.unknown(), "health", {}, { signal }),
    close: () => bridge.close(),
  };
}
