import { auth, core, tool } from "@recourse/faults/reasons";
import * as z from "zod";
import { gtin } from "../reasons.ts";
import { gtinArgument, readGtin } from "./gtin-argument.ts";
import { defineOperation } from "./operation.ts";

/** Claims a product, for brand owners. Only a token with the scope can do it, over MCP as over REST. */
export const claimGtin = defineOperation({
  name: "claim_gtin",
  title: "Claim a product",
  description: "Makes the holder of the token the one who speaks for a product. Needs the scope gtin:claim.",
  access: { scope: "gtin:claim" },
  input: z.object({ gtin: gtinArgument }),
  reasons: [auth.insufficient_scope, tool.invalid_arguments, gtin.invalid, gtin.not_found, gtin.already_claimed],
  changes: true,
  async run({ gtin: value }, { claims }, subject) {
    const digits = readGtin(value);
    // A caller with the scope has a token, and every token has a subject.
    if (subject === undefined) throw core.internal();
    const outcome = await claims.claim(digits, subject);
    switch (outcome) {
      case "claimed":
        return { gtin: digits, claimed: true };
      case "taken":
        throw gtin.already_claimed({ gtin: digits });
      case "no_such_product":
        throw gtin.not_found({ gtin: digits });
      default:
        return outcome satisfies never;
    }
  },
});
