// How a row of the corpora becomes a text. Values that look like credentials are generated at run time, so that no secret
// scanner finds them in the sources. Each row seeds the generator with its id: its values are the same on every run and do
// not depend on other rows.

export type LeakCategory =
  | "cred-known"
  | "cred-opaque"
  | "evasion"
  | "pii"
  | "infra"
  | "stack"
  | "sql"
  | "provider"
  | "internal-id"
  | "hostile";

/** A row of `corpora/leaks.json`. */
export interface LeakTemplate<Set extends string = string> {
  readonly set: Set;
  readonly name: string;
  /** `{0}`, `{1}` … stand for the values, `{*4:ab}` for `abababab`, and `{}` for nothing: it splits what scanners look for. */
  readonly text: string;
  /** Generated values, each a canary. A list is a value and the changes that it goes through. */
  readonly values?: readonly (string | readonly [value: string, ...changes: readonly string[]])[];
  /** Canaries that are written in the text. */
  readonly canaries?: readonly string[];
}

/** A row of `corpora/benign.json`. */
export interface BenignRow {
  readonly set: string;
  readonly text: string;
  readonly source?: string;
}

/** Fills a template. Returns the text and its canaries. */
export function fillTemplate({ text, values = [], canaries = [] }: LeakTemplate, seed: string): readonly string[] {
  const random = seededDraw(seed);
  const drawn = values.flatMap((value) => {
    const [template, ...changes] = typeof value === "string" ? [value] : value;
    return changes.reduce<readonly string[]>(
      (parts, change) => parts.flatMap((part) => changeValue(part, change)),
      [drawValue(template, random)],
    );
  });
  return [expandText(text, drawn), ...drawn, ...canaries.map((canary) => expandText(canary, []))];
}

function expandText(text: string, values: readonly string[]): string {
  return text.replace(
    /\{(?:(\d)|\*(\d+):([^}]+))?\}/g,
    (_, index?: string, times?: string, part?: string) => part?.repeat(Number(times)) ?? values[Number(index)] ?? "",
  );
}

/** Draws an integer from 0 to `limit - 1`. */
type Draw = (limit: number) => number;

/** A generator that is seeded with a name: FNV-1a hashes the name, mulberry32 draws the numbers. */
export function seededDraw(name: string): Draw {
  let state = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) state = Math.imul(state ^ byte, 0x01000193);
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";

const ALPHABETS: Readonly<Record<string, string>> = {
  upper: UPPER,
  lower: LOWER,
  digits: DIGITS,
  hex: `${DIGITS}abcdef`,
  upperHex: `${DIGITS}ABCDEF`,
  alnum: UPPER + LOWER + DIGITS,
  lowerAlnum: LOWER + DIGITS,
  upperAlnum: UPPER + DIGITS,
  base32: `${UPPER}234567`,
  lowerBase32: `${LOWER}234567`,
  crockford: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
  base58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
  base64: `${UPPER}${LOWER}${DIGITS}+/`,
  base64url: `${UPPER}${LOWER}${DIGITS}-_`,
};

const PASSWORDS: Readonly<Record<string, string>> = {
  // As policies require it: upper case, symbols, letters and digits.
  password: "<upper 4>!<alnum 6>#<digits 3>",
  // Needs no escaping inside a URL.
  plainPassword: "<lower 3><digits 3><alnum 10>",
};

/** Draws `<alnum 36>`, `<password>`, and `<alnum+./ 53>`, which has two more characters to draw from. The rest stays. */
export function drawValue(template: string, draw: Draw): string {
  return template
    .replace(/<(\w+)>/g, (hole, name: string) => PASSWORDS[name] ?? hole)
    .replace(/<(\w+)(?:\+(\S+))? (\d+)>/g, (_, name: string, more: string | undefined, length: string) => {
      const from = (ALPHABETS[name] ?? "") + (more ?? "");
      return Array.from({ length: Number(length) }, () => from.charAt(draw(from.length))).join("");
    });
}

/** Changes of a value, by name. Some take a word, such as the country of `iban DE`. */
const VALUE_CHANGES: Readonly<Record<string, (value: string, word: string) => string | readonly string[]>> = {
  base64: toBase64,
  base64url: (value) => toBase64(value).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
  hex: (value) => inHex(value).join(""),
  // Also of bytes that need no encoding.
  percent: (value) =>
    inHex(value)
      .map((byte) => `%${byte}`)
      .join(""),
  uri: encodeURIComponent,
  jsonEscaped: (value) => eachCode(value, (code) => `\\u${code.toString(16).padStart(4, "0")}`).join(""),
  entities: (value) => eachCode(value, (code) => `&#${code};`).join(""),
  charCodes: (value) => eachCode(value, String).join(", "),
  fullWidth: (value) => value.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  rot13: (value) =>
    value.replace(/[a-z]/gi, (char) => {
      const base = char <= "Z" ? 65 : 97;
      return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base);
    }),
  // Half of a pair, which not every parser of JSON takes in a file.
  codeUnit: (value) => String.fromCharCode(Number.parseInt(value, 16)),
  reversed: (value) => [...value].reverse().join(""),
  spaced: (value) => [...value].join(" "),
  grouped: (value, size) => groups(value, size).join(" "),
  dashed: (value, size) => groups(value, size).join("-"),
  halves: (value) => [value.slice(0, value.length / 2), value.slice(value.length / 2)],
  luhn: withLuhn,
  iban: toIban,
  dni: (value) => value + "TRWAGMYFPDXBNJZSQVHLCKE".charAt(Number(value) % 23),
  pesel: (value) => value + ((10 - (weightedSum(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10),
  residentId: (value) =>
    value + "10X98765432".charAt(weightedSum(value, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11),
  cpf: (value) => withCpfDigit(withCpfDigit(value)).replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, "$1.$2.$3-$4"),
};

/** Applies one change, such as `base64` or `iban DE`. */
export function changeValue(value: string, change: string): string | readonly string[] {
  const [name = "", word = ""] = change.split(" ");
  const apply = VALUE_CHANGES[name];
  if (apply === undefined) throw new Error(`no change is called ${name}`);
  return apply(value, word);
}

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function inHex(text: string): readonly string[] {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0"));
}

function eachCode(text: string, write: (code: number) => string): readonly string[] {
  return Array.from(text, (char) => write(char.charCodeAt(0)));
}

function groups(value: string, size: string): readonly string[] {
  return value.match(new RegExp(`.{1,${size}}`, "g")) ?? [];
}

/** Appends the Luhn check digit, as in card numbers and IMEI. */
function withLuhn(body: string): string {
  let sum = 0;
  for (const [index, digit] of [...body].reverse().entries()) {
    const value = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += value > 9 ? value - 9 : value;
  }
  return body + ((10 - (sum % 10)) % 10);
}

/** An IBAN with the right check digits (ISO 7064 mod 97). */
function toIban(account: string, country: string): string {
  const numeric = `${account}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return country + String(98n - (BigInt(numeric) % 97n)).padStart(2, "0") + account;
}

function withCpfDigit(body: string): string {
  const weights = Array.from({ length: body.length }, (_, index) => body.length + 1 - index);
  return body + (((weightedSum(body, weights) * 10) % 11) % 10);
}

/** The sum of digit × weight, from which most national check digits are computed. */
function weightedSum(body: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(body.charAt(index)), 0);
}
