import type { Json } from "../json.ts";
import type { JsonSchema } from "./walk.ts";

const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

/** The types that a node names; none where it names one that does not exist, since the others alone would be too few. */
export function typesOf({ type }: Json): readonly string[] {
  const named: readonly unknown[] = Array.isArray(type) ? type : [type];
  return named.every((one) => typeof one === "string" && TYPES.has(one)) ? [...new Set(named as string[])] : [];
}

/** Lets null through where OpenAPI 3.0 says `nullable`. */
export function withNull(schema: JsonSchema, { nullable }: Json): JsonSchema {
  if (nullable !== true) return schema;
  const { description, ...rest } = schema;
  const said = description === undefined ? {} : { description };
  // A union has types of its own, so null stands beside it.
  if (Object.hasOwn(rest, "anyOf") || Object.hasOwn(rest, "allOf")) return { ...said, anyOf: [rest, { type: "null" }] };
  const { type, enum: choices, const: only, ...more } = rest;
  const types = type === undefined ? [] : [type].flat();
  const allowed = only === undefined ? choices : [only];
  return {
    ...said,
    ...(types.length > 0 && { type: [...new Set([...types, "null"])] }),
    ...(Array.isArray(allowed) && { enum: [...new Set([...allowed, null])] }),
    ...more,
  };
}
