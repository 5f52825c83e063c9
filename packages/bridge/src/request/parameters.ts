import type { ParameterArgument } from "../operations/operation.ts";
import { isDotSegment } from "../operations/parameters.ts";
import {
  allTexts,
  expand,
  type FlatValue,
  flattenValue,
  invalidArgument,
  isEmptyValue,
  percentEncode,
  percentEncodeReserved,
  STYLE_ROWS,
  toJson,
  valid,
  type WriteResult,
  writeDeepObject,
} from "./styles.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a path.
const UNSAFE_IN_SEGMENT = /[/\\?#\u0000-\u001f\u007f]/;
/** How often a chain of servers may decode a path. */
const MAX_DECODINGS = 3;

/** Writes the value of a path parameter: a segment or a part of one, or several if the document allows it. */
export function writePathValue(argument: ParameterArgument, value: unknown): WriteResult<string> {
  const flat = argument.content === "json" ? flattenValue(toJson(value)) : flattenValue(value);
  if (!flat.ok) return flat;
  if (isEmptyValue(flat.value)) return invalidArgument("length", "at least one value");
  if (argument.multiSegment && flat.value.kind === "one") return writeSegments(flat.value.text);
  if (!allTexts(flat.value).every((text) => isSafeSegment(text))) return UNSAFE_VALUE;
  return writeSegment(argument, flat.value);
}

const UNSAFE_VALUE = invalidArgument("format", "text without slashes, question marks, number signs or dots alone");

function writeSegment({ key, style, explode }: ParameterArgument, flat: FlatValue): WriteResult<string> {
  const row = style === "label" || style === "matrix" ? STYLE_ROWS[style] : STYLE_ROWS.simple;
  const text = expand(row, flat, { key, explode, encode: percentEncode });
  return text.ok && (text.value === "" || isDotSegment(text.value))
    ? invalidArgument("length", "text that is not empty")
    : text;
}

function writeSegments(text: string): WriteResult<string> {
  const segments = text.split("/");
  if (segments.some((segment) => segment === "" || !isSafeSegment(segment)))
    return invalidArgument("format", "a relative path without empty parts or dots alone");
  return valid(segments.map(percentEncode).join("/"));
}

/** Whether every server reads the text as one segment, however often it decodes it. */
function isSafeSegment(text: string): boolean {
  let decoded = text;
  for (let times = 0; times <= MAX_DECODINGS; times++) {
    // A server that cuts a segment at its semicolon would see an empty one.
    if (UNSAFE_IN_SEGMENT.test(decoded) || isDotSegment(decoded) || decoded.startsWith(";")) return false;
    decoded = decoded.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return true;
}

/** How a value is written into a query or form. */
export interface QueryWriting
  extends Pick<ParameterArgument, "key" | "style" | "explode" | "allowReserved" | "content"> {
  /** Names of other parameters: an exploded object must not write them. */
  readonly taken: ReadonlySet<string>;
}

/** Writes a value as a part of a query; empty if the value is empty. */
export function writeQueryValue(
  value: unknown,
  { key, style, explode, allowReserved, content, taken }: QueryWriting,
): WriteResult<string> {
  if (style === "deepObject" && content === undefined) return writeDeepObject(key, value);
  const flat = flattenValue(content === "json" ? toJson(value) : value);
  if (!flat.ok) return flat;
  if (isEmptyValue(flat.value)) return valid("");
  if (flat.value.kind === "pairs" && explode && flat.value.pairs.some(([name]) => taken.has(name) || name === ""))
    return invalidArgument("format", "keys that are not parameters of their own");
  const row = style === "spaceDelimited" || style === "pipeDelimited" ? STYLE_ROWS[style] : STYLE_ROWS.form;
  return expand(row, flat.value, { key, explode, encode: allowReserved ? percentEncodeReserved : percentEncode });
}

/** Writes the value of a header parameter. Headers have no escapes, so other characters are refused. */
export function writeHeaderValue({ key, explode, content }: ParameterArgument, value: unknown): WriteResult<string> {
  const flat = flattenValue(content === "json" ? toJson(value)?.replaceAll(/[^ -~]/g, jsonEscape) : value);
  if (!flat.ok) return flat;
  const text = expand(STYLE_ROWS.simple, flat.value, { key, explode, encode: (one) => one });
  if (text.ok && !/^[ -~]*$/.test(text.value)) return invalidArgument("format", "printable ASCII text on one line");
  return text;
}

/** JSON can escape every character in ASCII. */
function jsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Writes the value of a cookie parameter; empty if the value is empty. */
export function writeCookieValue({ key, explode, content }: ParameterArgument, value: unknown): WriteResult<string> {
  const flat = flattenValue(content === "json" ? toJson(value) : value);
  if (!flat.ok) return flat;
  if (isEmptyValue(flat.value)) return valid("");
  // Each key would become a cookie of any name.
  if (flat.value.kind === "pairs" && explode) return invalidArgument("type", "a value that is not an object");
  return expand(STYLE_ROWS.cookie, flat.value, { key, explode, encode: percentEncode });
}
