import { AdapterError } from "@recourse/bridge";
import type { Query } from "../database/database.ts";
import type { NewOrder } from "../orders/order.ts";

/** Takes articles from the stock and gives their prices; nothing is taken unless there is enough of everything. */
export async function takeFromStock(query: Query, items: NewOrder["items"]): Promise<ReadonlyMap<string, number>> {
  const prices = new Map<string, number>();
  // Everybody takes in the same order, so that two orders never wait for each other.
  for (const { sku, quantity } of items.toSorted((a, b) => a.sku.localeCompare(b.sku))) {
    const [row] = await query("select stock, price_cents from article where sku = $1 for update", [sku]);
    const left = Number(row?.["stock"]);
    if (left < quantity) throw new AdapterError("OUT_OF_STOCK", { params: { left, sku } });
    await query("update article set stock = stock - $2 where sku = $1", [sku, quantity]);
    prices.set(sku, Number(row?.["price_cents"]));
  }
  return prices;
}
