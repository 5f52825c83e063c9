import * as z from "zod";
import { checkGtin, GTIN_PROBLEMS } from "../gtin/check-gtin.ts";
import { gtin } from "../reasons.ts";

/** The GTIN argument of operations. */
export const gtinArgument = z
  .string()
  .describe("8, 12, 13 or 14 digits as a string; a number would lose its leading zeros.");

/** The fourteen digits of a GTIN. Throws a fault that says what to correct. */
export function readGtin(value: string): string {
  const verdict = checkGtin(value);
  if (verdict.valid) return verdict.gtin;
  const { problem, suggestion } = verdict;
  const expected = GTIN_PROBLEMS[problem];
  const issue = {
    pointer: "/gtin",
    rule: "format",
    expected,
    ...(suggestion !== undefined && { suggestion }),
  } as const;
  throw gtin.invalid({ problem, why: expected }, { issues: [issue] });
}

/** The reasons that `readPublicGtin` throws. */
export const PUBLIC_GTIN_REASONS = [gtin.invalid, gtin.restricted_circulation, gtin.not_a_trade_item] as const;

/** The fourteen digits of a GTIN that may be used in a public link. */
export function readPublicGtin(value: string): string {
  const digits = readGtin(value);
  const verdict = checkGtin(digits);
  const status = verdict.valid ? verdict.prefix.status : "unknown";
  const issues = [
    { pointer: "/gtin", rule: "custom", expected: "the GTIN of a product that is sold publicly" },
  ] as const;
  if (status === "restricted") throw gtin.restricted_circulation({ gtin: digits }, { issues });
  if (status === "not_trade_item") throw gtin.not_a_trade_item({ gtin: digits }, { issues });
  return digits;
}
