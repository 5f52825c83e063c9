import * as z from "zod";
import { judge } from "../gtin/judge.ts";
import { PROBLEMS } from "../gtin/problems.ts";
import { gtin } from "../reasons.ts";

/** The argument that nearly every operation takes. */
export const gtinArgument = z
  .string()
  .describe("8, 12, 13 or 14 digits as a string; a number would lose its leading zeros.");

/** The fourteen digits of a GTIN, or a refusal that says what to correct. */
export function readGtin(value: string): string {
  const verdict = judge(value);
  if (verdict.valid) return verdict.gtin;
  const { problem, suggestion } = verdict;
  const expected = PROBLEMS[problem];
  const issue = {
    pointer: "/gtin",
    rule: "format",
    expected,
    ...(suggestion !== undefined && { suggestion }),
  } as const;
  throw gtin.invalid({ problem, why: expected }, { issues: [issue] });
}

/** The same for numbers that may stand in a public link. */
export function readPublicGtin(value: string): string {
  const digits = readGtin(value);
  const verdict = judge(digits);
  const status = verdict.valid ? verdict.prefix.status : "unknown";
  if (status === "restricted") throw gtin.restricted_circulation({ gtin: digits });
  if (status === "not_trade_item") throw gtin.not_a_trade_item({ gtin: digits });
  return digits;
}
