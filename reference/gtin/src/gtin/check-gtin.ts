import { type Prefix, prefixOf } from "./prefix.ts";

/** Everything that can be wrong with a GTIN, with a sentence for the caller. */
export const GTIN_PROBLEMS = {
  NOT_A_STRING: "A GTIN is a string of digits; as a number it loses its leading zeros.",
  NOT_DIGITS: "A GTIN consists of the digits 0 to 9 alone, without spaces, hyphens or letters.",
  LENGTH: "A GTIN has 8, 12, 13 or 14 digits.",
  ISBN10_LENGTH: "Ten characters may be an ISBN-10: convert it to the ISBN-13 that starts with 978.",
  SSCC_LENGTH: "Eighteen digits are an SSCC, which names a logistic unit and not a product.",
  AMBIGUOUS_8_DIGIT_ZERO_PREFIX:
    "Eight digits with a leading zero may be a UPC-E or an in-store number: send the GTIN-12.",
  GTIN8_IN_12_DIGITS: "A GTIN-8 may be padded to 13 or 14 digits, but not to 12.",
  RESTRICTED_8_DIGITS: "Behind so many zeros there is an in-store number of eight digits, which is no GTIN.",
  CHECK_DIGIT: "The last digit is not the check digit of those before it.",
} as const;

/** The name of a problem. */
export type GtinProblem = keyof typeof GTIN_PROBLEMS;
/** The names of all problems. */
export const GTIN_PROBLEM_NAMES = Object.keys(GTIN_PROBLEMS) as readonly GtinProblem[];

/** The four forms of a GTIN. */
type GtinForm = "GTIN-8" | "GTIN-12" | "GTIN-13" | "GTIN-14";

/** A GTIN, or what is wrong with it. */
export type GtinCheck =
  | { readonly valid: true; readonly gtin: string; readonly form: GtinForm; readonly prefix: Prefix }
  | { readonly valid: false; readonly problem: GtinProblem; readonly suggestion?: string };

/** Lengths of other identifiers. */
const OTHER_LENGTHS: Readonly<Record<number, GtinProblem>> = { 10: "ISBN10_LENGTH", 18: "SSCC_LENGTH" };

/** The form by the leading zeros of fourteen digits, most zeros first. */
const FORMS: readonly (readonly [zeros: string, form: GtinForm])[] = [
  ["000000", "GTIN-8"],
  ["00", "GTIN-12"],
  ["0", "GTIN-13"],
  ["", "GTIN-14"],
];

/** Checks any value. Length, structure and check digit decide; the prefix is only reported. */
export function checkGtin(value: unknown): GtinCheck {
  if (typeof value !== "string") return invalidGtin("NOT_A_STRING");
  if (!/^[0-9]+$/.test(value)) return invalidGtin(/^[0-9]{9}[xX]$/.test(value) ? "ISBN10_LENGTH" : "NOT_DIGITS");
  const problem = problemOf(value);
  if (problem === "AMBIGUOUS_8_DIGIT_ZERO_PREFIX") return invalidGtin(problem, expandUpcE(value));
  if (problem !== undefined) return invalidGtin(problem);
  const gtin = value.padStart(14, "0");
  const form = FORMS.find(([zeros]) => gtin.startsWith(zeros))?.[1] ?? "GTIN-14";
  return { valid: true, gtin, form, prefix: prefixOf(gtin) };
}

function problemOf(digits: string): GtinProblem | undefined {
  const { length } = digits;
  if (![8, 12, 13, 14].includes(length)) return OTHER_LENGTHS[length] ?? "LENGTH";
  if (length === 8 && digits.startsWith("0")) return "AMBIGUOUS_8_DIGIT_ZERO_PREFIX";
  if (length === 12 && digits.startsWith("0000")) return "GTIN8_IN_12_DIGITS";
  if (digits.padStart(14, "0").startsWith("0000000")) return "RESTRICTED_8_DIGITS";
  return hasCheckDigit(digits) ? undefined : "CHECK_DIGIT";
}

function invalidGtin(problem: GtinProblem, suggestion?: string): GtinCheck {
  return { valid: false, problem, ...(suggestion !== undefined && { suggestion }) };
}

/** The check digit of these digits: weights 3, 1, 3, 1 … from the right. */
export function checkDigit(body: string): string {
  let sum = 0;
  for (let at = 0; at < body.length; at++) {
    const weight = (body.length - at) % 2 === 1 ? 3 : 1;
    sum += Number(body[at]) * weight;
  }
  return String((10 - (sum % 10)) % 10);
}

/** Whether the last digit is the check digit of the others; for ASCII digits only. */
export function hasCheckDigit(digits: string): boolean {
  return checkDigit(digits.slice(0, -1)) === digits.at(-1);
}

/** The last digit of the body says where zeros were removed. */
const EXPANSIONS: Readonly<Record<string, (d: readonly string[]) => string>> = {
  "0": ([a, b, c, d, e]) => `${a}${b}00000${c}${d}${e}`,
  "1": ([a, b, c, d, e]) => `${a}${b}10000${c}${d}${e}`,
  "2": ([a, b, c, d, e]) => `${a}${b}20000${c}${d}${e}`,
  "3": ([a, b, c, d, e]) => `${a}${b}${c}00000${d}${e}`,
  "4": ([a, b, c, d, e]) => `${a}${b}${c}${d}00000${e}`,
};

/** The GTIN-12 of a UPC-E with eight digits; undefined for anything else. */
export function expandUpcE(digits: string): string | undefined {
  if (!/^0[0-9]{7}$/.test(digits)) return undefined;
  const body = [...digits.slice(1, 6)];
  const last = digits.slice(6, 7);
  const middle = EXPANSIONS[last]?.(body) ?? `${body.join("")}0000${last}`;
  const expanded = `0${middle}${digits.slice(7)}`;
  return hasCheckDigit(expanded) ? expanded : undefined;
}
