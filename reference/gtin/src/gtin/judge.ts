import { hasCheckDigit } from "./check-digit.ts";
import { type Prefix, prefixOf } from "./prefix.ts";
import type { Problem } from "./problems.ts";
import { expandUpcE } from "./upc-e.ts";

/** The four forms that a GTIN is given out in. */
type Form = "GTIN-8" | "GTIN-12" | "GTIN-13" | "GTIN-14";

/** A GTIN, or what is wrong with it. */
export type Verdict =
  | { readonly valid: true; readonly gtin: string; readonly form: Form; readonly prefix: Prefix }
  | { readonly valid: false; readonly problem: Problem; readonly suggestion?: string };

/** Lengths that are known to be something else. */
const OTHER_LENGTHS: Readonly<Record<number, Problem>> = { 10: "ISBN10_LENGTH", 18: "SSCC_LENGTH" };

/** The form by the zeros in front of fourteen digits, more zeros first. */
const FORMS: readonly (readonly [zeros: string, form: Form])[] = [
  ["000000", "GTIN-8"],
  ["00", "GTIN-12"],
  ["0", "GTIN-13"],
  ["", "GTIN-14"],
];

/** Judges any value; length, structure and check digit decide, the prefix is only told. */
export function judge(value: unknown): Verdict {
  if (typeof value !== "string") return refused("NOT_A_STRING");
  if (!/^[0-9]+$/.test(value)) return refused(/^[0-9]{9}[xX]$/.test(value) ? "ISBN10_LENGTH" : "NOT_DIGITS");
  const problem = problemOf(value);
  if (problem === "AMBIGUOUS_8_DIGIT_ZERO_PREFIX") return refused(problem, expandUpcE(value));
  if (problem !== undefined) return refused(problem);
  const gtin = value.padStart(14, "0");
  const form = FORMS.find(([zeros]) => gtin.startsWith(zeros))?.[1] ?? "GTIN-14";
  return { valid: true, gtin, form, prefix: prefixOf(gtin) };
}

function problemOf(digits: string): Problem | undefined {
  const { length } = digits;
  if (![8, 12, 13, 14].includes(length)) return OTHER_LENGTHS[length] ?? "LENGTH";
  if (length === 8 && digits.startsWith("0")) return "AMBIGUOUS_8_DIGIT_ZERO_PREFIX";
  if (length === 12 && digits.startsWith("0000")) return "GTIN8_IN_12_DIGITS";
  if (digits.padStart(14, "0").startsWith("0000000")) return "RESTRICTED_8_DIGITS";
  return hasCheckDigit(digits) ? undefined : "CHECK_DIGIT";
}

function refused(problem: Problem, suggestion?: string): Verdict {
  return { valid: false, problem, ...(suggestion !== undefined && { suggestion }) };
}
