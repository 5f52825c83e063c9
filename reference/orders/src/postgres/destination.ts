import type { Issue } from "@recourse/faults";
import type { Query } from "../database/database.ts";
import type { NewOrder } from "../orders/order.ts";

/** What is wrong with the place that an order is to go to; how postcodes look is known for each country. */
export async function destinationIssues(query: Query, { deliver_to }: NewOrder): Promise<readonly Issue[]> {
  const { country, postcode } = deliver_to;
  const [known] = await query(
    'select postcode_pattern is not null as has_postcodes, $2 collate "C" ~ postcode_pattern as fits from country where code = $1',
    [country, postcode ?? ""],
  );
  if (known === undefined) return [{ pointer: "/deliver_to/country", rule: "choice" }];
  if (known["has_postcodes"] === false || known["fits"] === true) return [];
  return [{ pointer: "/deliver_to/postcode", rule: postcode === undefined ? "required" : "format" }];
}
