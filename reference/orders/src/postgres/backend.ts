import type { Database } from "../database/database.ts";
import type { OrderBackend } from "../orders/backend.ts";
import { cancelOrder } from "./cancel-order.ts";
import { placeOrder } from "./place-order.ts";
import { numberOf, ORDERS, orderIn, ordersIn } from "./rows.ts";

/** Orders in a database of our own. It knows nothing about parcels. */
export function postgresBackend(database: Database): OrderBackend {
  return {
    get: async (id, { signal }) => orderIn(await database.read(signal, `${ORDERS} where o.id = $1`, [numberOf(id)])),
    list: async ({ customer, limit }, { signal }) => {
      const sql = `${ORDERS} where o.customer_email = $1 order by o.placed_at desc, o.id desc limit $2`;
      return ordersIn(await database.read(signal, sql, [customer, limit]));
    },
    place: (wanted, call) => database.transaction(call.signal, (query) => placeOrder(query, wanted, call)),
    cancel: (id, { signal }) => database.transaction(signal, (query) => cancelOrder(query, id)),
    ping: (signal) => database.read(signal, "select 1"),
    close: () => database.close(),
  };
}
