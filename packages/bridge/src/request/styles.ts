import type { IssueRule } from "@recourse/faults";
import { isObject } from "@recourse/wire";
import type { Style } from "../operations/operation.ts";

/** The rule that an argument breaks; never the value itself. */
export interface StyleProblem {
  readonly rule: IssueRule;
  readonly expected: string;
}

/** A part of a request, or why the argument cannot be written. */
export type WriteResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: StyleProblem };

/** A part that was written. */
export function valid<T>(value: T): WriteResult<T> {
  return { ok: true, value };
}

/** An argument that cannot be written. */
export function invalidArgument(rule: IssueRule, expected: string): WriteResult<never> {
  return { ok: false, problem: { rule, expected } };
}

/** A value in the forms that parameter styles distinguish: one text, a list of texts, or pairs of texts. */
export type FlatValue =
  | { readonly kind: "one"; readonly text: string }
  | { readonly kind: "many"; readonly texts: readonly string[] }
  | { readonly kind: "pairs"; readonly pairs: readonly (readonly [key: string, text: string])[] };

/** Flattens a value. Null is left out, and values inside a list or object that are objects themselves become JSON. */
export function flattenValue(value: unknown): WriteResult<FlatValue> {
  const flat = flattenStructure(value);
  if (flat === undefined) return invalidArgument("type", "a text, a number, a boolean, a list or an object");
  return allTexts(flat).every((text) => text.isWellFormed())
    ? valid(flat)
    : invalidArgument("format", "valid Unicode text");
}

function flattenStructure(value: unknown): FlatValue | undefined {
  if (Array.isArray(value)) {
    const texts = value.filter((one) => one !== null).map(scalarText);
    return texts.every((text) => text !== undefined) ? { kind: "many", texts } : undefined;
  }
  if (isObject(value)) {
    const pairs = Object.entries(value)
      .filter(([, one]) => one !== null && one !== undefined)
      .map(([key, one]) => [key, scalarText(one)] as const);
    return pairs.every((pair): pair is readonly [string, string] => pair[1] !== undefined)
      ? { kind: "pairs", pairs }
      : undefined;
  }
  const text = scalarText(value);
  return text === undefined ? undefined : { kind: "one", text };
}

/** The text of a value; objects and lists become JSON. Undefined for values that JSON does not have. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null ? toJson(value) : undefined;
}

/** A value as JSON; undefined for values that JSON does not have. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** All texts of a flat value. */
export function allTexts(flat: FlatValue): readonly string[] {
  switch (flat.kind) {
    case "one":
      return [flat.text];
    case "many":
      return flat.texts;
    case "pairs":
      return flat.pairs.flat();
    default:
      return flat satisfies never;
  }
}

/** Whether a list or object has no values. */
export function isEmptyValue(flat: FlatValue): boolean {
  return flat.kind !== "one" && allTexts(flat).length === 0;
}

/** How a style writes values. */
interface StyleRow {
  /** Written before everything else. */
  readonly prefix: string;
  /** Between the texts of one value. */
  readonly separator: string;
  /** Between the texts of an exploded value. */
  readonly explodedSeparator: string;
  /** Whether the key is written too. */
  readonly hasKey: boolean;
  /** Between a key and an empty text. */
  readonly beforeEmpty: "=" | "";
}

const FORM_ROW = {
  prefix: "",
  separator: ",",
  explodedSeparator: "&",
  hasKey: true,
  beforeEmpty: "=",
} as const satisfies StyleRow;

/** The styles that write flat values. Cookies have a style of their own. */
export const STYLE_ROWS = {
  simple: { prefix: "", separator: ",", explodedSeparator: ",", hasKey: false, beforeEmpty: "=" },
  label: { prefix: ".", separator: ",", explodedSeparator: ".", hasKey: false, beforeEmpty: "=" },
  matrix: { prefix: ";", separator: ",", explodedSeparator: ";", hasKey: true, beforeEmpty: "" },
  form: FORM_ROW,
  spaceDelimited: { ...FORM_ROW, separator: "%20" },
  pipeDelimited: { ...FORM_ROW, separator: "%7C" },
  cookie: { ...FORM_ROW, explodedSeparator: "; " },
} as const satisfies Readonly<Record<Exclude<Style, "deepObject"> | "cookie", StyleRow>>;

/** Options for writing a value in a style. */
interface ExpandOptions {
  readonly key: string;
  readonly explode: boolean;
  /** Encodes a text for its place in the request. */
  readonly encode: (text: string) => string;
}

/** Writes a value in a style. A text that contains the separator is refused: the reader would see two values. */
export function expand(row: StyleRow, flat: FlatValue, { key, explode, encode }: ExpandOptions): WriteResult<string> {
  const pair = (name: string, text: string) => `${encode(name)}${text === "" ? row.beforeEmpty : "="}${encode(text)}`;
  const separator = explode ? row.explodedSeparator : row.separator;
  if (flat.kind !== "one" && !allTexts(flat).every((text) => isUnambiguous(encode(text), separator)))
    return invalidArgument("format", `texts without ${SEPARATOR_NAMES[separator] ?? "separators"}`);
  if (flat.kind === "pairs" && explode && !flat.pairs.every(([name]) => !encode(name).includes("=")))
    return invalidArgument("format", "keys without an equals sign");
  switch (flat.kind) {
    case "one":
      return valid(row.prefix + (row.hasKey ? pair(key, flat.text) : encode(flat.text)));
    case "many": {
      if (explode && row.hasKey) return valid(row.prefix + flat.texts.map((text) => pair(key, text)).join(separator));
      const list = flat.texts.map(encode).join(separator);
      return valid(row.prefix + (row.hasKey ? `${encode(key)}=${list}` : list));
    }
    case "pairs": {
      if (explode) return valid(row.prefix + flat.pairs.map(([name, text]) => pair(name, text)).join(separator));
      const list = flat.pairs.flat().map(encode).join(separator);
      return valid(row.prefix + (row.hasKey ? `${encode(key)}=${list}` : list));
    }
    default:
      return flat satisfies never;
  }
}

function isUnambiguous(encoded: string, separator: string): boolean {
  return !encoded.includes(separator.trim() || separator);
}

const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  ",": "commas",
  ".": "dots",
  "%20": "spaces",
  "%7C": "vertical bars",
};

const MAX_OBJECT_DEPTH = 8;

type Pair = readonly [name: string, text: string];

/**
 * Writes a value as `key[member]=text`, at any depth. A list of plain values is `key[]=text`, which all common services
 * read; objects in a list need an index to stay whole.
 */
export function writeDeepObject(key: string, value: unknown): WriteResult<string> {
  const pairs: Pair[] = [];
  const problem = collectPairs(pairs, key, value, 0);
  if (problem !== undefined) return problem;
  return valid(pairs.map(([name, text]) => `${percentEncode(name)}=${percentEncode(text)}`).join("&"));
}

function collectPairs(pairs: Pair[], name: string, value: unknown, depth: number): WriteResult<never> | undefined {
  if (value === null || value === undefined) return undefined;
  if (depth > MAX_OBJECT_DEPTH) return invalidArgument("format", "an object that is not nested so deeply");
  if (Array.isArray(value)) {
    const isNested = value.some((one) => typeof one === "object" && one !== null);
    return firstProblem(
      value.map((one, index) => collectPairs(pairs, `${name}[${isNested ? index : ""}]`, one, depth + 1)),
    );
  }
  if (!isObject(value)) {
    const text = scalarText(value);
    if (text === undefined) return invalidArgument("type", "values of JSON");
    if (!text.isWellFormed()) return invalidArgument("format", "valid Unicode text");
    pairs.push([name, text]);
    return undefined;
  }
  const entries = Object.entries(value);
  if (entries.some(([key]) => /[[\]]/.test(key) || key === "" || !key.isWellFormed()))
    return invalidArgument("format", "keys without brackets");
  return firstProblem(entries.map(([key, one]) => collectPairs(pairs, `${name}[${key}]`, one, depth + 1)));
}

function firstProblem(problems: readonly (WriteResult<never> | undefined)[]): WriteResult<never> | undefined {
  return problems.find((one) => one !== undefined);
}

/** Percent-encodes everything except letters, digits and `-._~`, so that no reader takes the text for syntax. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, percentEscape);
}

/** Leaves reserved characters unencoded, except those that separate or end a query. */
export function percentEncodeReserved(text: string): string {
  return percentEncode(text).replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|3D)/g, decodeURIComponent);
}

function percentEscape(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
