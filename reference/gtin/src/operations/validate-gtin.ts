import * as z from "zod";
import { checkGtin, GTIN_PROBLEMS } from "../gtin/check-gtin.ts";
import { PREFIX_DATA_VERSION } from "../gtin/prefix.ts";
import { defineOperation } from "./operation.ts";

/** Validates a GTIN. It never fails: any other value, of any type, is answered with `valid: false`. */
export const validateGtin = defineOperation({
  name: "validate_gtin",
  title: "Validate a GTIN",
  description:
    "Checks length, structure and check digit of a GTIN. Never fails: anything that is none is answered with valid: false and the reason.",
  access: "open",
  input: z.object({ gtin: z.unknown().describe("What to check, best as a string of digits.").optional() }),
  reasons: [],
  changes: false,
  async run({ gtin: value }) {
    const verdict = checkGtin(value);
    if (!verdict.valid) {
      const { problem: reason, suggestion } = verdict;
      return { valid: false, reason, message: GTIN_PROBLEMS[reason], ...(suggestion !== undefined && { suggestion }) };
    }
    const { gtin, form, prefix } = verdict;
    return { valid: true, gtin, type: form, prefix: { ...prefix, data_version: PREFIX_DATA_VERSION } };
  },
});
