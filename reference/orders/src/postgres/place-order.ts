import type { Issue } from "@recourse/faults";
import type { Query } from "../database/database.ts";
import type { OrderCall } from "../orders/backend.ts";
import { fail, invalidArguments } from "../orders/failures.ts";
import type { NewOrder, Order } from "../orders/order.ts";
import { readOrder } from "./select-orders.ts";

/** Places an order. It checks the arguments first, then the customer's order rate, then the stock. */
export async function placeOrder(query: Query, wanted: NewOrder, { idempotencyKey }: OrderCall): Promise<Order> {
  // Orders of one customer are placed one after the other, so that rates and keys are exact.
  await query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [wanted.customer.email]);
  const placed = idempotencyKey === undefined ? undefined : await orderPlacedWith(query, wanted, idempotencyKey);
  if (placed !== undefined) return readOrder(query, placed);
  const issues = [...(await destinationIssues(query, wanted)), ...(await unknownArticleIssues(query, wanted))];
  if (issues.length > 0) throw invalidArguments(issues);
  await checkOrderRate(query, wanted.customer.email);
  const prices = await takeFromStock(query, wanted.items);
  return readOrder(query, await insertOrder(query, { wanted, key: idempotencyKey, prices }));
}

/** The order that was placed with this key before. */
async function orderPlacedWith(query: Query, wanted: NewOrder, key: string): Promise<number | undefined> {
  const sql = "select id, key_order from customer_order where customer_email = $1 and key = $2";
  const [found] = await query(sql, [wanted.customer.email, key]);
  if (found === undefined) return undefined;
  if (found["key_order"] !== JSON.stringify(wanted)) throw fail("KEY_REUSED");
  return Number(found["id"]);
}

async function unknownArticleIssues(query: Query, { items }: NewOrder) {
  const rows = await query("select sku from article where sku = any($1)", [items.map(({ sku }) => sku)]);
  const known = new Set(rows.map(({ sku }) => sku));
  return items.flatMap(({ sku }, at) =>
    known.has(sku) ? [] : [{ pointer: `/items/${at}/sku`, rule: "choice" as const }],
  );
}

interface PricedOrder {
  readonly wanted: NewOrder;
  readonly key: string | undefined;
  readonly prices: ReadonlyMap<string, number>;
}

async function insertOrder(query: Query, { wanted, key, prices }: PricedOrder): Promise<number> {
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

/** The issues of the delivery address. The database knows the postcodes of each country. */
async function destinationIssues(query: Query, { deliver_to }: NewOrder): Promise<readonly Issue[]> {
  const { country, postcode } = deliver_to;
  const [known] = await query(
    'select postcode_pattern is not null as has_postcodes, $2 collate "C" ~ postcode_pattern as fits from country where code = $1',
    [country, postcode ?? ""],
  );
  if (known === undefined) return [{ pointer: "/deliver_to/country", rule: "choice" }];
  if (known["has_postcodes"] === false || known["fits"] === true) return [];
  return [{ pointer: "/deliver_to/postcode", rule: postcode === undefined ? "required" : "format" }];
}

/** How many orders a customer may place in a minute. */
export const ORDERS_PER_MINUTE = 5;

/** Throws if a customer orders too fast, with the time until the next order. */
async function checkOrderRate(query: Query, email: string): Promise<void> {
  const [row] = await query(
    "select extract(epoch from placed_at + interval '1 minute' - now()) as wait from customer_order " +
      "where customer_email = $1 and placed_at > now() - interval '1 minute' order by placed_at desc offset $2 limit 1",
    [email, ORDERS_PER_MINUTE - 1],
  );
  if (row === undefined) return;
  const afterMs = Math.ceil(Number(row["wait"])) * 1_000;
  throw fail("TOO_MANY_ORDERS", { limit: ORDERS_PER_MINUTE }, { retry: { allowed: true, afterMs } });
}

/**
 * Takes articles from the stock, and returns their prices. Throws if one is out of stock; the transaction undoes the
 * rest.
 */
async function takeFromStock(query: Query, items: NewOrder["items"]): Promise<ReadonlyMap<string, number>> {
  const prices = new Map<string, number>();
  // All transactions lock articles in the same order, so that they never deadlock.
  for (const { sku, quantity } of items.toSorted((a, b) => a.sku.localeCompare(b.sku))) {
    const [row] = await query("select stock, price_cents from article where sku = $1 for update", [sku]);
    const left = Number(row?.["stock"]);
    if (left < quantity) throw fail("OUT_OF_STOCK", { left, sku });
    await query("update article set stock = stock - $2 where sku = $1", [sku, quantity]);
    prices.set(sku, Number(row?.["price_cents"]));
  }
  return prices;
}
