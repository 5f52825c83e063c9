import { AdapterError } from "@recourse/bridge";
import type { Query, Rows } from "../database/database.ts";
import { type Order, order } from "../orders/order.ts";

/** Every order as one JSON document in the form that the tools give it, and its number. */
export const ORDERS = `
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

/** The number in the name of an order. */
export function numberOf(id: string): number {
  return Number(id.slice("ORD-".length));
}

/** The orders in some rows; one whose total is not that of its lines must not be acted upon. */
export function ordersIn(rows: Rows): readonly Order[] {
  return rows.map(({ document }) => {
    const read = order.parse(document);
    const total = read.items.reduce((sum, { quantity, price_cents }) => sum + quantity * price_cents, 0);
    if (total !== read.total_cents) throw new AdapterError("ORDER_INCONSISTENT");
    return read;
  });
}

/** The only order in some rows. */
export function orderIn(rows: Rows): Order {
  const [found] = ordersIn(rows);
  if (found === undefined) throw new AdapterError("ORDER_NOT_FOUND");
  return found;
}

/** An order by its number, as it is inside a transaction. */
export async function orderAt(query: Query, id: number): Promise<Order> {
  return orderIn(await query(`${ORDERS} where o.id = $1`, [id]));
}
