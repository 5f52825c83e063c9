import type { Query, Rows } from "../database/database.ts";
import { fail } from "../orders/failures.ts";
import { type Order, order } from "../orders/order.ts";

/** Selects orders as JSON documents in the form of the tools, with their numbers. */
export const SELECT_ORDERS = `
  select o.id, jsonb_strip_nulls(jsonb_build_object(
    'id', 'ORD-' || o.id,
    'status', o.status,
    'customer', jsonb_build_object('email', o.customer_email),
    'deliver_to', jsonb_build_object('country', o.country, 'postcode', o.postcode),
    'items', coalesce(
      (select jsonb_agg(jsonb_build_object('sku', sku, 'quantity', quantity, 'price_cents', price_cents) order by line)
       from order_line where order_id = o.id), '[]'),
    'total_cents', o.total_cents,
    'placed_at', to_char(o.placed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  )) as document
  from customer_order o`;

/** The number in the id of an order. */
export function orderNumber(id: string): number {
  return Number(id.slice("ORD-".length));
}

/** The orders in rows. Throws for an order whose total is not the sum of its lines. */
export function parseOrders(rows: Rows): readonly Order[] {
  return rows.map(({ document }) => {
    const read = order.parse(document);
    const total = read.items.reduce((sum, { quantity, price_cents }) => sum + quantity * price_cents, 0);
    if (total !== read.total_cents) throw fail("ORDER_INCONSISTENT", { order: read.id });
    return read;
  });
}

/** The only order in rows. Throws if there are no rows. */
export function parseOrder(id: string, rows: Rows): Order {
  const [found] = parseOrders(rows);
  if (found === undefined) throw fail("ORDER_NOT_FOUND", { order: id });
  return found;
}

/** Reads an order by its number inside a transaction. */
export async function readOrder(query: Query, id: number): Promise<Order> {
  return parseOrder(`ORD-${id}`, await query(`${SELECT_ORDERS} where o.id = $1`, [id]));
}
