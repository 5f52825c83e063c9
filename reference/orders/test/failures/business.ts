// Valid calls that the current state does not allow.
import pg from "pg";
import { ORDERS_PER_MINUTE } from "../../src/postgres/place-order.ts";
import { observe } from "../support/observers.ts";
import { changed, type Failure, ORDER, place } from "./failure.ts";

/** What an adapter names itself has the general code if no standard one means the kind. */
const identified = { code: 4001, name: "ADAPTER_ERROR" } as const;

export const BUSINESS: readonly Failure[] = [
  {
    code: 3001,
    name: "RATE_LIMIT_EXCEEDED",
    retryable: true,
    cause: `${ORDERS_PER_MINUTE} orders of the customer within a minute`,
    ...place({ customer: { email: "fast@example.com" } }),
    arrange: async ({ server, database }) => {
      for (let placed = 0; placed < ORDERS_PER_MINUTE; placed++) {
        const { args, tool } = place({ customer: { email: "fast@example.com" } });
        await observe("plain HTTP", server.url, { adapter: "postgres", tool, args });
      }
      return () => database.query("delete from customer_order where customer_email = 'fast@example.com'");
    },
    kind: "rate_limited",
    waits: true,
    details: { context: { limit: ORDERS_PER_MINUTE }, originalError: "TOO_MANY_ORDERS" },
    reason: "orders/too_many_orders",
    service: { status: 429, code: "TOO_MANY_ORDERS" },
  },
  {
    code: 3002,
    name: "TIMEOUT",
    retryable: true,
    cause: "somebody else holds the order",
    tool: "cancel_order",
    args: ORDER,
    arrange: async ({ database }) => {
      const other = new pg.Client({ connectionString: database.url });
      await other.connect();
      await other.query("begin; select from customer_order where id = 1001 for update");
      return () => other.end();
    },
    kind: "timeout",
    reason: "core/timeout",
    service: { status: 504, code: "TIMEOUT" },
  },
  {
    ...identified,
    retryable: false,
    cause: "no such order",
    tool: "get_order",
    args: { order_id: "ORD-9999" },
    kind: "not_found",
    says: 'Order "ORD-9999" does not exist. Call again with a different name or id.',
    details: {
      suggestion: "Call again with a different name or id.",
      context: { order: "ORD-9999" },
      originalError: "ORDER_NOT_FOUND",
    },
    reason: "orders/order_not_found",
    service: { status: 404, code: "ORDER_NOT_FOUND" },
  },
  {
    ...identified,
    retryable: false,
    cause: "the key of another order",
    ...place(),
    key: "order-of-march",
    arrange: changed(
      "insert into customer_order (customer_email, country, total_cents, key, key_order) " +
        "values ('eve@example.com', 'HK', 0, 'order-of-march', '{}')",
      "delete from customer_order where key = 'order-of-march'",
    ),
    kind: "conflict",
    says: "Another order was placed with this key. Do not repeat this call.",
    details: { suggestion: "Do not repeat this call.", originalError: "KEY_REUSED" },
    reason: "orders/key_reused",
    service: { status: 422, code: "KEY_REUSED" },
  },
  {
    ...identified,
    retryable: false,
    cause: "the order is shipped already",
    tool: "cancel_order",
    args: { order_id: "ORD-1002" },
    kind: "precondition_failed",
    says:
      'Order "ORD-1002" is shipped, so it cannot be cancelled any more. ' +
      "Ask the user what to do; the same call will fail again.",
    details: {
      suggestion: "Ask the user what to do; the same call will fail again.",
      context: { order: "ORD-1002", status: "shipped" },
      originalError: "INVALID_ORDER_STATE",
    },
    reason: "orders/invalid_order_state",
    service: { status: 409, code: "INVALID_ORDER_STATE" },
  },
  {
    ...identified,
    retryable: false,
    cause: "more than there are",
    ...place({ items: [{ sku: "CHAIR-2", quantity: 3 }] }),
    kind: "precondition_failed",
    says: 'Only 2 of "CHAIR-2" are in stock. Correct items and call again.',
    details: {
      suggestion: "Correct items and call again.",
      context: { left: 2, sku: "CHAIR-2" },
      originalError: "OUT_OF_STOCK",
    },
    reason: "orders/out_of_stock",
    service: { status: 409, code: "OUT_OF_STOCK" },
  },
];
