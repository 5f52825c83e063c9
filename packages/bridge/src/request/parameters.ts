import type { IssueRule } from "@recourse/core";
import { isObject } from "@recourse/core/wire";
import type { ParameterArgument, Style } from "../operations/operation.ts";
import { isDotSegment } from "../operations/parameters.ts";

/** The rule that an argument breaks; never the value itself. */
export interface StyleProblem {
  readonly rule: IssueRule;
  readonly expected: string;
}

/** A part of a request, or why the argument cannot be written. */
export type WriteResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: StyleProblem };

export function valid<T>(value: T): WriteResult<T> {
  return { ok: true, value };
}

export function invalidArgument(rule: IssueRule, expected: string): WriteResult<never> {
  return { ok: false, problem: { rule, expected } };
}

/** The text of a value; objects and lists become JSON. Undefined for values that JSON does not have. */
export function scalarText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === "boolean") return String(value);
  return typeof value === "object" && value !== null ? toJson(value) : undefined;
}

export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

export interface ValueStyle
  extends Pick<ParameterArgument, "in" | "key" | "style" | "explode" | "allowReserved" | "content"> {
  readonly required?: boolean;
  readonly multiSegment?: boolean;
}

/**
 * Writes a value into its place of the request; empty if the value is empty. An exploded object must not write the names in
 * `taken`, which are parameters of their own.
 */
export function writeParameter(style: ValueStyle, value: unknown, taken: ReadonlySet<string>): WriteResult<string> {
  const text = writeStyled(style, value, taken);
  // A required parameter must not vanish because its list is empty.
  const isMissing = style.required === true && text.ok && text.value === "";
  return isMissing ? invalidArgument("length", "at least one value") : text;
}

function writeStyled(argument: ValueStyle, value: unknown, taken: ReadonlySet<string>): WriteResult<string> {
  const { in: place, key, style, explode, content } = argument;
  if (style === "deepObject" && content === undefined) return writeDeepObject(key, value);
  const flat = flattenValue(content === "json" ? jsonFor(place, value) : value);
  if (!flat.ok) return flat;
  const { kind, entries } = flat.value;
  if (kind !== "one" && entries.length === 0) return valid("");
  const row = STYLE_ROWS[place === "cookie" ? "cookie" : style];
  const expanded = (encode: (text: string) => string) => expand(row, flat.value, { key, explode, encode });
  switch (place) {
    case "path": {
      if (argument.multiSegment === true && kind === "one") return writeSegments(entries[0]?.[1] ?? "");
      if (!textsOf(flat.value).every(isSafeSegment)) return UNSAFE_VALUE;
      const text = expanded(percentEncode);
      const isEmpty = text.ok && (text.value === "" || isDotSegment(text.value));
      return isEmpty ? invalidArgument("length", "text that is not empty") : text;
    }
    case "query":
      if (kind === "pairs" && explode && entries.some(([name]) => taken.has(name) || name === ""))
        return invalidArgument("format", "keys that are not parameters of their own");
      return expanded(argument.allowReserved ? percentEncodeReserved : percentEncode);
    case "header": {
      // Headers have no escapes, so other characters are refused.
      const text = expanded((one) => one);
      const isSendable = !text.ok || /^[ -~]*$/.test(text.value);
      return isSendable ? text : invalidArgument("format", "printable ASCII text on one line");
    }
    case "cookie":
      // Each key would become a cookie of any name.
      if (kind === "pairs" && explode) return invalidArgument("type", "a value that is not an object");
      return expanded(percentEncode);
    default:
      return place satisfies never;
  }
}

/** JSON can escape every character in ASCII, which is all that a header holds. */
function jsonFor(place: ParameterArgument["in"], value: unknown): string | undefined {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return place === "header" ? toJson(value)?.replaceAll(/[^ -~]/g, escaped) : toJson(value);
}

type Pair = readonly [key: string, text: string];

/** A value in the forms that styles distinguish. The keys of a list, and of one value, mean nothing. */
interface FlatValue {
  readonly kind: "one" | "many" | "pairs";
  readonly entries: readonly Pair[];
}

/** Flattens a value. Null is left out, and values inside a list or object that are objects themselves become JSON. */
function flattenValue(value: unknown): WriteResult<FlatValue> {
  const kind = Array.isArray(value) ? "many" : isObject(value) ? "pairs" : "one";
  const all = kind === "one" ? [["", value]] : Object.entries(value as object);
  const given = all.filter(([, one]) => kind === "one" || (one !== null && one !== undefined));
  const entries = given.map(([key, one]) => [key, scalarText(one)] as const);
  if (!entries.every((entry): entry is Pair => entry[1] !== undefined))
    return invalidArgument("type", "a text, a number, a boolean, a list or an object");
  const flat = { kind, entries } as const;
  return textsOf(flat).every((text) => text.isWellFormed())
    ? valid(flat)
    : invalidArgument("format", "valid Unicode text");
}

function textsOf({ kind, entries }: FlatValue): readonly string[] {
  return kind === "pairs" ? entries.flat() : entries.map(([, text]) => text);
}

interface StyleRow {
  readonly prefix: string;
  readonly separator: string;
  readonly explodedSeparator: string;
  readonly hasKey: boolean;
  /** Between a key and an empty text. */
  readonly beforeEmpty: "=" | "";
}

const FORM_ROW = { prefix: "", separator: ",", explodedSeparator: "&", hasKey: true, beforeEmpty: "=" } as const;

const STYLE_ROWS = {
  simple: { prefix: "", separator: ",", explodedSeparator: ",", hasKey: false, beforeEmpty: "=" },
  label: { prefix: ".", separator: ",", explodedSeparator: ".", hasKey: false, beforeEmpty: "=" },
  matrix: { prefix: ";", separator: ",", explodedSeparator: ";", hasKey: true, beforeEmpty: "" },
  form: FORM_ROW,
  spaceDelimited: { ...FORM_ROW, separator: "%20" },
  pipeDelimited: { ...FORM_ROW, separator: "%7C" },
  deepObject: FORM_ROW,
  cookie: { ...FORM_ROW, explodedSeparator: "; " },
} as const satisfies Readonly<Record<Style | "cookie", StyleRow>>;

const SEPARATOR_NAMES: Readonly<Record<string, string>> = {
  ",": "commas",
  ".": "dots",
  "%20": "spaces",
  "%7C": "vertical bars",
};

interface ExpandOptions {
  readonly key: string;
  readonly explode: boolean;
  readonly encode: (text: string) => string;
}

/** Writes a value in a style. A text that contains the separator is refused: the reader would see two values. */
function expand(row: StyleRow, flat: FlatValue, { key, explode, encode }: ExpandOptions): WriteResult<string> {
  const { kind, entries } = flat;
  const pair = ([name, text]: Pair) => `${encode(name)}${text === "" ? row.beforeEmpty : "="}${encode(text)}`;
  const separator = explode ? row.explodedSeparator : row.separator;
  const isAmbiguous = (text: string) => encode(text).includes(separator.trim() || separator);
  if (kind !== "one" && textsOf(flat).some(isAmbiguous))
    return invalidArgument("format", `texts without ${SEPARATOR_NAMES[separator] ?? "separators"}`);
  if (kind === "pairs" && explode && entries.some(([name]) => encode(name).includes("=")))
    return invalidArgument("format", "keys without an equals sign");
  const joined = () => textsOf(flat).map(encode).join(separator);
  if (kind === "pairs" && explode) return valid(row.prefix + entries.map(pair).join(separator));
  if (!row.hasKey) return valid(row.prefix + joined());
  if (kind === "pairs" || (kind === "many" && !explode)) return valid(`${row.prefix}${encode(key)}=${joined()}`);
  return valid(row.prefix + entries.map(([, text]) => pair([key, text])).join(separator));
}

const MAX_OBJECT_DEPTH = 8;

/**
 * Writes a value as `key[member]=text`, at any depth. A list of plain values is `key[]=text`, which all common services
 * read; objects in a list need an index to stay whole.
 */
function writeDeepObject(key: string, value: unknown): WriteResult<string> {
  const pairs: Pair[] = [];
  const problem = collectPairs(pairs, key, value, 0);
  return problem ?? valid(pairs.map((pair) => pair.map(percentEncode).join("=")).join("&"));
}

function collectPairs(pairs: Pair[], name: string, value: unknown, depth: number): WriteResult<never> | undefined {
  if (value === null || value === undefined) return undefined;
  if (depth > MAX_OBJECT_DEPTH) return invalidArgument("format", "an object that is not nested so deeply");
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) {
    const text = scalarText(value);
    if (text === undefined) return invalidArgument("type", "values of JSON");
    if (!text.isWellFormed()) return invalidArgument("format", "valid Unicode text");
    pairs.push([name, text]);
    return undefined;
  }
  const entries = Object.entries(value);
  if (!isList && entries.some(([key]) => /[[\]]/.test(key) || key === "" || !key.isWellFormed()))
    return invalidArgument("format", "keys without brackets");
  const isPlain = isList && !value.some((one) => typeof one === "object" && one !== null);
  return entries
    .map(([key, one]) => collectPairs(pairs, `${name}[${isPlain ? "" : key}]`, one, depth + 1))
    .find((problem) => problem !== undefined);
}

/** Percent-encodes everything except letters, digits and `-._~`, so that no reader takes the text for syntax. */
function percentEncode(text: string): string {
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, escaped);
}

/** Leaves reserved characters unencoded, except those that separate or end a query. */
function percentEncodeReserved(text: string): string {
  return percentEncode(text).replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|3D)/g, decodeURIComponent);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a path.
const UNSAFE_IN_SEGMENT = /[/\\?#\u0000-\u001f\u007f]/;
const UNSAFE_VALUE = invalidArgument("format", "text without slashes, question marks, number signs or dots alone");
/** How often a chain of servers may decode a path. */
const MAX_DECODINGS = 3;

function writeSegments(text: string): WriteResult<string> {
  const segments = text.split("/");
  if (segments.some((segment) => segment === "" || !isSafeSegment(segment)))
    return invalidArgument("format", "a relative path without empty parts or dots alone");
  return valid(segments.map(percentEncode).join("/"));
}

/** Whether every server reads the text as one segment, however often it decodes it. */
function isSafeSegment(text: string): boolean {
  const decode = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  let decoded = text;
  for (let times = 0; times <= MAX_DECODINGS; times++) {
    // A server that cuts a segment at its semicolon would see an empty one.
    if (UNSAFE_IN_SEGMENT.test(decoded) || isDotSegment(decoded) || decoded.startsWith(";")) return false;
    decoded = decoded.replaceAll(/%([0-7][0-9a-f])/gi, decode);
  }
  return true;
}
