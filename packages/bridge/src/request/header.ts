import type { ParameterArgument } from "../operations/operation.ts";
import { encode } from "./encode.ts";
import { expand, ROWS } from "./expand.ts";
import { flatten, isEmpty, jsonOf } from "./flat.ts";
import { made, type Result, refused } from "./result.ts";

/** Writes the value of a header parameter. Headers have no escapes, so what does not fit is refused. */
export function headerValue({ key, explode, content }: ParameterArgument, value: unknown): Result<string> {
  const flat = flatten(content === "json" ? jsonOf(value)?.replaceAll(/[^ -~]/g, escaped) : value);
  if (!flat.ok) return flat;
  const text = expand(ROWS.simple, flat.value, { key, explode, encode: (one) => one });
  if (text.ok && !/^[ -~]*$/.test(text.value)) return refused("format", "printable ASCII text on one line");
  return text;
}

/** JSON can say every character in ASCII. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Writes the value of a cookie parameter; empty where there is nothing to write. */
export function cookieValue({ key, explode, content }: ParameterArgument, value: unknown): Result<string> {
  const flat = flatten(content === "json" ? jsonOf(value) : value);
  if (!flat.ok) return flat;
  if (isEmpty(flat.value)) return made("");
  // Its keys would be cookies of their own, of any name.
  if (flat.value.kind === "pairs" && explode) return refused("type", "a value that is not an object");
  return expand(ROWS.cookie, flat.value, { key, explode, encode });
}
