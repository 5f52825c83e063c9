// Values that look like tokens are generated at run time, so that no secret scanner finds them in the sources. Each row
// seeds the generator with its name, so that its values are the same on every run and do not depend on other rows.

/** A source of random numbers. */
export interface Random {
  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number;
}

/** Generates a value. */
export type Maker = (random: Random) => string;

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";

export const alphabet = {
  upper: UPPER,
  lower: LOWER,
  digits: DIGITS,
  hex: `${DIGITS}abcdef`,
  alnum: UPPER + LOWER + DIGITS,
  lowerAlnum: LOWER + DIGITS,
  upperAlnum: UPPER + DIGITS,
  base32: `${UPPER}234567`,
  base58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  base64: `${UPPER}${LOWER}${DIGITS}+/`,
  base64url: `${UPPER}${LOWER}${DIGITS}-_`,
} as const;

/** A generator that is seeded with a name: FNV-1a hashes the name, mulberry32 draws the numbers. */
export function randomFor(name: string): Random {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) state = Math.imul(state ^ byte, 0x01000193);
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
    },
  };
}

export const chars =
  (length: number, from: string): Maker =>
  (random) =>
    Array.from({ length }, () => from.charAt(random.below(from.length))).join("");

export const digits = (length: number): Maker => chars(length, DIGITS);
export const hex = (length: number): Maker => chars(length, alphabet.hex);
export const alnum = (length: number): Maker => chars(length, alphabet.alnum);
export const urlSafe = (length: number): Maker => chars(length, alphabet.base64url);
export const base64Chars = (length: number): Maker => chars(length, alphabet.base64);

/** Joins generated and fixed parts to one value. */
export const joined =
  (...parts: readonly (string | Maker)[]): Maker =>
  (random) =>
    parts.map((part) => (typeof part === "string" ? part : part(random))).join("");

export const mapped =
  (maker: Maker, change: (value: string) => string): Maker =>
  (random) =>
    change(maker(random));

/** A password as policies require it: upper case, symbols, letters and digits. */
export const password: Maker = joined(chars(4, UPPER), "!", alnum(6), "#", digits(3));

/** A password that needs no escaping inside a URL. */
export const plainPassword: Maker = joined(chars(3, LOWER), digits(3), alnum(10));

export function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

export function toBase64Url(text: string): string {
  return toBase64(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function toHex(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Percent-encodes every byte, also those that need no encoding. */
export function toPercent(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Appends the Luhn check digit, as in card numbers and IMEI. */
export function withLuhn(body: string): string {
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) {
    const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += value > 9 ? value - 9 : value;
  }
  return body + ((10 - (sum % 10)) % 10);
}

/** An IBAN with the right check digits (ISO 7064 mod 97). */
export function toIban(country: string, account: string): string {
  const numeric = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return country + String(98n - (BigInt(numeric) % 97n)).padStart(2, "0") + account;
}

/** The sum of digit × weight, from which most national check digits are computed. */
export function weightedSum(body: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(body.charAt(index)), 0);
}

export const grouped = (value: string, size: number, separator = " "): string =>
  (value.match(new RegExp(`.{1,${size}}`, "g")) ?? []).join(separator);

/** The row of a leak: its text, then every piece of it that must not reach a caller. */
export type LeakRow = readonly [text: string, ...canaries: readonly string[]];

/** Rows by name. A row with generated values is a function of the generator. */
export type LeakTable = Readonly<Record<string, LeakRow | ((random: Random) => LeakRow)>>;

/** A row in which `{0}`, `{1}` … are generated. The generated values and `fixed` are its canaries. */
export const filled =
  (text: string, makers: readonly Maker[], ...fixed: readonly string[]) =>
  (random: Random): LeakRow => {
    const values = makers.map((maker) => maker(random));
    return [text.replace(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? ""), ...values, ...fixed];
  };
