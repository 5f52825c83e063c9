import { tool } from "@recourse/faults/reasons";
import * as z from "zod";
import { gtin } from "../reasons.ts";
import { gtinArgument, readGtin } from "./gtin-argument.ts";
import { defineOperation } from "./operation.ts";

/** Looks up a product. A missing product is an answer, not a failure. */
export const lookupProduct = defineOperation({
  name: "lookup_product",
  title: "Look a product up",
  description: "Gives name, brand and content of a product, or found: false where the GTIN is not in the catalogue.",
  access: "limited",
  input: z.object({ gtin: gtinArgument }),
  reasons: [tool.invalid_arguments, gtin.invalid],
  changes: false,
  async run({ gtin: value }, { catalogue }) {
    const digits = readGtin(value);
    const product = await catalogue.product(digits);
    if (product === undefined) return { found: false, gtin: digits };
    const { name, brand, netContent } = product;
    return { found: true, gtin: digits, name, brand, ...(netContent !== undefined && { net_content: netContent }) };
  },
});
