import { AdapterError } from "@recourse/bridge";
import type { Query } from "../database/database.ts";

/** How many orders a customer may place in a minute. */
export const ORDERS_A_MINUTE = 5;

/** Refuses a customer who orders too fast, and says when the next order will be taken. */
export async function keepWithinRate(query: Query, email: string): Promise<void> {
  const [row] = await query(
    "select extract(epoch from placed_at + interval '1 minute' - now()) as wait from customer_order " +
      "where customer_email = $1 and placed_at > now() - interval '1 minute' order by placed_at desc offset $2 limit 1",
    [email, ORDERS_A_MINUTE - 1],
  );
  if (row === undefined) return;
  const afterMs = Math.ceil(Number(row["wait"])) * 1_000;
  throw new AdapterError("TOO_MANY_ORDERS", {
    params: { limit: ORDERS_A_MINUTE },
    retry: { allowed: true, afterMs },
  });
}
