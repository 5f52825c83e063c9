import type { ParameterArgument } from "../operations/operation.ts";
import { deepObject } from "./deep-object.ts";
import { encode, encodeReserved } from "./encode.ts";
import { expand, ROWS } from "./expand.ts";
import { flatten, isEmpty, jsonOf } from "./flat.ts";
import { made, type Result, refused } from "./result.ts";

/** How a value is written into a query or a form. */
export interface Writing extends Pick<ParameterArgument, "key" | "style" | "explode" | "allowReserved" | "content"> {
  /** Names that belong to others: an exploded object must not write them. */
  readonly taken: ReadonlySet<string>;
}

/** Writes a value as a part of a query; empty where there is nothing to write. */
export function queryValue(
  value: unknown,
  { key, style, explode, allowReserved, content, taken }: Writing,
): Result<string> {
  if (style === "deepObject" && content === undefined) return deepObject(key, value);
  const flat = flatten(content === "json" ? jsonOf(value) : value);
  if (!flat.ok) return flat;
  if (isEmpty(flat.value)) return made("");
  if (flat.value.kind === "pairs" && explode && flat.value.pairs.some(([name]) => taken.has(name) || name === ""))
    return refused("format", "keys that are not parameters of their own");
  const row = style === "spaceDelimited" || style === "pipeDelimited" ? ROWS[style] : ROWS.form;
  return expand(row, flat.value, { key, explode, encode: allowReserved ? encodeReserved : encode });
}
