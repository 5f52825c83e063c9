import type { ParameterArgument, PathPart } from "../operations/operation.ts";
import { isDots } from "../operations/template.ts";
import { encode } from "./encode.ts";
import { expand, ROWS } from "./expand.ts";
import { allTexts, type Flat, flatten, isEmpty, jsonOf } from "./flat.ts";
import { made, type Result, refused } from "./result.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be in a path.
const UNSAFE = /[/\\?#\u0000-\u001f\u007f]/;
/** How often servers in a row may decode a path. */
const DECODINGS = 3;

/** Writes the value of a path parameter: one segment or a part of it, several where the document says so. */
export function pathValue(argument: ParameterArgument, value: unknown): Result<string> {
  const flat = argument.content === "json" ? flatten(jsonOf(value)) : flatten(value);
  if (!flat.ok) return flat;
  if (isEmpty(flat.value)) return refused("length", "at least one value");
  if (argument.multiSegment && flat.value.kind === "one") return severalSegments(flat.value.text);
  if (!allTexts(flat.value).every((text) => isSafe(text))) return refusal;
  return written(argument, flat.value);
}

const refusal = refused("format", "text without slashes, question marks, number signs or dots alone");

function written({ key, style, explode }: ParameterArgument, flat: Flat): Result<string> {
  const row = style === "label" || style === "matrix" ? ROWS[style] : ROWS.simple;
  const text = expand(row, flat, { key, explode, encode });
  return text.ok && (text.value === "" || isDots(text.value)) ? refused("length", "text that is not empty") : text;
}

function severalSegments(text: string): Result<string> {
  const segments = text.split("/");
  if (segments.some((segment) => segment === "" || !isSafe(segment)))
    return refused("format", "a relative path without empty parts or dots alone");
  return made(segments.map(encode).join("/"));
}

/** Whether no server on the way can take a text for more than one segment, however often it decodes it. */
function isSafe(text: string): boolean {
  let decoded = text;
  for (let times = 0; times <= DECODINGS; times++) {
    // Servers that cut a segment at its semicolon would see an empty one.
    if (UNSAFE.test(decoded) || isDots(decoded) || decoded.startsWith(";")) return false;
    decoded = decoded.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return true;
}

/** Fills a path template; the values are written already. Undefined when a segment means a directory after all. */
export function fillPath(
  segments: readonly (readonly PathPart[])[],
  values: ReadonlyMap<string, string>,
): readonly string[] | undefined {
  const filled = segments.map((parts) =>
    parts.map((part) => ("text" in part ? literal(part.text) : (values.get(part.parameter) ?? ""))).join(""),
  );
  const single = filled.flatMap((segment) => segment.split("/"));
  const isWhole = single.every((segment, index) => !isDots(segment) && (segment !== "" || index === single.length - 1));
  return isWhole ? single : undefined;
}

/** Fixed text may hold escapes already. */
function literal(text: string): string {
  return encodeURI(text).replaceAll("%25", "%");
}
