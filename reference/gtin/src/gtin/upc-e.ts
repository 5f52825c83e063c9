import { hasCheckDigit } from "./check-digit.ts";

/** How the last digit of the body says where the zeros were taken out. */
const EXPANSIONS: Readonly<Record<string, (d: readonly string[]) => string>> = {
  "0": ([a, b, c, d, e]) => `${a}${b}00000${c}${d}${e}`,
  "1": ([a, b, c, d, e]) => `${a}${b}10000${c}${d}${e}`,
  "2": ([a, b, c, d, e]) => `${a}${b}20000${c}${d}${e}`,
  "3": ([a, b, c, d, e]) => `${a}${b}${c}00000${d}${e}`,
  "4": ([a, b, c, d, e]) => `${a}${b}${c}${d}00000${e}`,
};

/** The GTIN-12 that a UPC-E of eight digits stands for, or undefined where it is none. */
export function expandUpcE(digits: string): string | undefined {
  if (!/^0[0-9]{7}$/.test(digits)) return undefined;
  const body = [...digits.slice(1, 6)];
  const last = digits.slice(6, 7);
  const middle = EXPANSIONS[last]?.(body) ?? `${body.join("")}0000${last}`;
  const expanded = `0${middle}${digits.slice(7)}`;
  return hasCheckDigit(expanded) ? expanded : undefined;
}
