import type { Database } from "@recourse/reference-shared";

/** The result of a claim. */
type ClaimOutcome = "claimed" | "taken" | "no_such_product";

/** The claims of brand owners. */
export interface Claims {
  /** Claims a product. Repeating a claim changes nothing. */
  claim(gtin: string, subject: string): Promise<ClaimOutcome>;
}

// One statement, so that only one of two simultaneous claims succeeds.
const CLAIM = `
  insert into claim (gtin, subject) select gtin, $2 from product where gtin = $1
  on conflict (gtin) do update set subject = claim.subject
  returning subject`;

/** Creates the claims on a database. */
export function createClaims(database: Database): Claims {
  return {
    async claim(gtin, subject) {
      const [row] = await database.write(CLAIM, [gtin, subject]);
      if (row === undefined) return "no_such_product";
      return row["subject"] === subject ? "claimed" : "taken";
    },
  };
}
