import { AdapterError } from "@recourse/bridge";
import type { Query } from "../database/database.ts";
import type { Order } from "../orders/order.ts";
import { numberOf, orderAt } from "./rows.ts";

/** Cancels an order and puts its articles back; one that is cancelled already stays as it is. */
export async function cancelOrder(query: Query, orderId: string): Promise<Order> {
  const id = numberOf(orderId);
  const [found] = await query("select status from customer_order where id = $1 for update", [id]);
  if (found === undefined) throw new AdapterError("ORDER_NOT_FOUND");
  const status = String(found["status"]);
  if (status === "shipped") throw new AdapterError("INVALID_ORDER_STATE", { params: { status } });
  if (status === "open") {
    await query("update customer_order set status = 'cancelled' where id = $1", [id]);
    await query(
      "update article set stock = stock + back.quantity from " +
        "(select sku, sum(quantity)::int as quantity from order_line where order_id = $1 group by sku) as back " +
        "where article.sku = back.sku",
      [id],
    );
  }
  return orderAt(query, id);
}
