import type { Database } from "@recourse/reference-ground";

/** What became of a claim. */
type ClaimOutcome = "claimed" | "taken" | "no_such_product";

/** Who speaks for which product. */
export interface Claims {
  /** Claims a product; to claim one's own again changes nothing. */
  claim(gtin: string, subject: string): Promise<ClaimOutcome>;
}

// One statement, so that two who claim at the same moment cannot both succeed.
const CLAIM = `
  insert into claim (gtin, subject) select gtin, $2 from product where gtin = $1
  on conflict (gtin) do update set subject = claim.subject
  returning subject`;

/** The claims in the database. */
export function claimsIn(database: Database): Claims {
  return {
    async claim(gtin, subject) {
      const [row] = await database.write(CLAIM, [gtin, subject]);
      if (row === undefined) return "no_such_product";
      return row["subject"] === subject ? "claimed" : "taken";
    },
  };
}
