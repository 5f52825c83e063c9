import { defineOrders } from "../adapter/define-orders.ts";
import { type Database, type DatabaseOptions, openDatabase, type Query } from "../database/database.ts";
import type { OrderBackend } from "../orders/backend.ts";
import { fail } from "../orders/failures.ts";
import { type Order, orderStatus } from "../orders/order.ts";
import { placeOrder } from "./place-order.ts";
import { orderNumber, parseOrder, parseOrders, readOrder, SELECT_ORDERS } from "./select-orders.ts";

/** The order tools on PostgreSQL. */
export const postgresOrders = defineOrders(async (options: DatabaseOptions, signal) => {
  const backend = postgresBackend(openDatabase(options));
  try {
    await backend.ping(signal);
    return backend;
  } catch (thrown) {
    await backend.close();
    throw thrown;
  }
});

/** The orders in PostgreSQL. It cannot track parcels. */
export function postgresBackend(database: Database): OrderBackend {
  return {
    get: async (id, { signal }) =>
      parseOrder(id, await database.read(signal, `${SELECT_ORDERS} where o.id = $1`, [orderNumber(id)])),
    list: async ({ customer, limit }, { signal }) => {
      const sql = `${SELECT_ORDERS} where o.customer_email = $1 order by o.placed_at desc, o.id desc limit $2`;
      return parseOrders(await database.read(signal, sql, [customer, limit]));
    },
    place: (wanted, call) => database.transaction(call.signal, (query) => placeOrder(query, wanted, call)),
    cancel: (id, { signal }) => database.transaction(signal, (query) => cancelOrder(query, id)),
    ping: (signal) => database.read(signal, "select 1"),
    close: () => database.close(),
  };
}

/** Cancels an order and returns its articles to the stock. A cancelled order stays unchanged. */
async function cancelOrder(query: Query, orderId: string): Promise<Order> {
  const id = orderNumber(orderId);
  const [found] = await query("select status from customer_order where id = $1 for update", [id]);
  if (found === undefined) throw fail("ORDER_NOT_FOUND", { order: orderId });
  const status = orderStatus.parse(found["status"]);
  if (status === "shipped") throw fail("INVALID_ORDER_STATE", { order: orderId, status });
  if (status === "open") {
    await query("update customer_order set status = 'cancelled' where id = $1", [id]);
    await query(
      "update article set stock = stock + back.quantity from " +
        "(select sku, sum(quantity)::int as quantity from order_line where order_id = $1 group by sku) as back " +
        "where article.sku = back.sku",
      [id],
    );
  }
  return readOrder(query, id);
}
