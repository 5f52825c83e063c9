import { at, isObject, keysOf, listOf } from "./read.ts";

const LONGEST = 2_000;

/** A text that two values share when JSON Schema calls them equal; undefined for values too large to compare. */
export function identityOf(value: unknown, depth = 0): string | undefined {
  const list = listOf(value);
  if (list === undefined && !isObject(value)) return ofScalar(value);
  if (depth > 8) return undefined;
  let text = "";
  const keys = list === undefined ? keysOf(value) : [];
  const count = list?.length ?? keys.length;
  if (count > LONGEST) return undefined;
  for (const key of list === undefined ? keys.toSorted() : list.keys()) {
    const member = identityOf(at(value, key), depth + 1);
    if (member === undefined || text.length + member.length > LONGEST) return undefined;
    text += typeof key === "number" ? `${member},` : `${JSON.stringify(key)}:${member},`;
  }
  return list === undefined ? `{${text}}` : `[${text}]`;
}

function ofScalar(value: unknown): string | undefined {
  if (typeof value === "string") return value.length > LONGEST ? undefined : JSON.stringify(value);
  if (typeof value === "number") return String(value + 0);
  return typeof value === "boolean" || value === null ? String(value) : undefined;
}
