import { AdapterError } from "@recourse/bridge";
import type { Query } from "../database/database.ts";
import type { OrderCall } from "../orders/backend.ts";
import type { NewOrder, Order } from "../orders/order.ts";
import { refusalOf } from "../orders/refusal.ts";
import { destinationIssues } from "./destination.ts";
import { keepWithinRate } from "./rate.ts";
import { orderAt } from "./rows.ts";
import { takeFromStock } from "./stock.ts";

/** Places an order: what is wrong with it is refused first, then the customer's pace, then what is not in stock. */
export async function placeOrder(query: Query, wanted: NewOrder, { key }: OrderCall): Promise<Order> {
  // Orders of one customer come one after the other, so that counts and keys hold.
  await query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [wanted.customer.email]);
  const placed = key === undefined ? undefined : await placedWith(query, wanted, key);
  if (placed !== undefined) return orderAt(query, placed);
  const issues = [...(await destinationIssues(query, wanted)), ...(await unknownArticles(query, wanted))];
  if (issues.length > 0) throw refusalOf(issues);
  await keepWithinRate(query, wanted.customer.email);
  const prices = await takeFromStock(query, wanted.items);
  return orderAt(query, await insert(query, { wanted, key, prices }));
}

/** The order that this key has placed before. */
async function placedWith(query: Query, wanted: NewOrder, key: string): Promise<number | undefined> {
  const sql = "select id, key_order from customer_order where customer_email = $1 and key = $2";
  const [found] = await query(sql, [wanted.customer.email, key]);
  if (found === undefined) return undefined;
  if (found["key_order"] !== JSON.stringify(wanted)) throw new AdapterError("KEY_REUSED");
  return Number(found["id"]);
}

async function unknownArticles(query: Query, { items }: NewOrder) {
  const rows = await query("select sku from article where sku = any($1)", [items.map(({ sku }) => sku)]);
  const known = new Set(rows.map(({ sku }) => sku));
  return items.flatMap(({ sku }, at) =>
    known.has(sku) ? [] : [{ pointer: `/items/${at}/sku`, rule: "choice" as const }],
  );
}

interface Priced {
  readonly wanted: NewOrder;
  readonly key: string | undefined;
  readonly prices: ReadonlyMap<string, number>;
}

async function insert(query: Query, { wanted, key, prices }: Priced): Promise<number> {
  const { customer, deliver_to, items } = wanted;
  const priceOf = (sku: string) => prices.get(sku) ?? 0;
  const total = items.reduce((sum, { sku, quantity }) => sum + quantity * priceOf(sku), 0);
  const [inserted] = await query(
    "insert into customer_order (customer_email, country, postcode, total_cents, key, key_order) " +
      "values ($1, $2, $3, $4, $5, $6) returning id",
    [
      customer.email,
      deliver_to.country,
      deliver_to.postcode,
      total,
      key,
      key === undefined ? undefined : JSON.stringify(wanted),
    ],
  );
  const id = Number(inserted?.["id"]);
  for (const [at, { sku, quantity }] of items.entries()) {
    const line = [id, at + 1, sku, quantity, priceOf(sku)];
    await query(
      "insert into order_line (order_id, line, sku, quantity, price_cents) values ($1, $2, $3, $4, $5)",
      line,
    );
  }
  return id;
}
