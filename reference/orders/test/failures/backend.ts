// Backends that fail, are not available, or do not implement a tool.
import { changed, type Failure, ORDER, place } from "./failure.ts";

const failed = {
  code: 4001,
  name: "ADAPTER_ERROR",
  reason: { postgres: "adapter/failed", rest: "rest/upstream_failed" },
  service: { status: 500, code: "INTERNAL" },
} as const;
const away = { code: 4002, name: "BACKEND_UNAVAILABLE", retryable: true } as const;
const unplugged = (proxy: "databaseProxy" | "serviceProxy"): NonNullable<Failure["arrange"]> => {
  return async (environment) => {
    environment[proxy].disconnect();
    return () => environment[proxy].reconnect();
  };
};

export const BACKEND: readonly Failure[] = [
  {
    ...failed,
    retryable: true,
    cause: "a column that a reading statement names is gone",
    tool: "get_order",
    args: ORDER,
    arrange: changed(
      "alter table order_line rename column price_cents to price",
      "alter table order_line rename column price to price_cents",
    ),
  },
  {
    ...failed,
    // The database rolls back; the effect at the service is not known.
    retryable: { postgres: true, rest: false },
    cause: "a column that a writing statement names is gone",
    ...place(),
    arrange: changed(
      "alter table article rename column stock to amount",
      "alter table article rename column amount to stock",
    ),
  },
  {
    ...failed,
    retryable: false,
    cause: "an order whose total is not that of its lines",
    tool: "get_order",
    args: { order_id: "ORD-1003" },
    arrange: changed(
      "update customer_order set total_cents = 1 where id = 1003",
      "update customer_order set total_cents = 4900 where id = 1003",
    ),
    kind: "upstream_failed",
    details: {
      suggestion: "Ask the user what to do; the same call will fail again.",
      context: { order: "ORD-1003" },
      originalError: "ORDER_INCONSISTENT",
    },
    reason: "orders/order_inconsistent",
    service: { status: 500, code: "ORDER_INCONSISTENT" },
  },
  {
    ...away,
    tool: "get_order",
    args: ORDER,
    cause: "the database is away",
    arrange: unplugged("databaseProxy"),
    kind: "unavailable",
    reason: "adapter/unavailable",
    service: { status: 503, code: "DATABASE_AWAY" },
  },
  {
    ...away,
    ...place(),
    cause: "the database is away before a transaction begins",
    arrange: unplugged("databaseProxy"),
    kind: "unavailable",
    only: "postgres",
    reason: "adapter/unavailable",
  },
  {
    ...failed,
    ...place(),
    // The service does not say whether it placed the order before its database went away.
    retryable: false,
    cause: "the database of the service is away",
    arrange: unplugged("databaseProxy"),
    kind: "unavailable",
    only: "rest",
    details: {
      suggestion:
        "The call may have taken effect. Wait 2 seconds, then check the current state before repeating the call.",
    },
    reason: "adapter/unavailable",
    service: { status: 503, code: "DATABASE_AWAY" },
  },
  {
    ...away,
    cause: "the service is away",
    tool: "get_order",
    args: ORDER,
    arrange: unplugged("serviceProxy"),
    only: "rest",
  },
  {
    code: 5001,
    name: "NOT_IMPLEMENTED",
    retryable: false,
    cause: "no carrier is connected",
    tool: "track_shipment",
    args: ORDER,
    reason: "adapter/not_implemented",
    service: { status: 501, code: "NO_CARRIER" },
  },
];
