import { partsOf, unionsOf } from "./parts.ts";
import { at, has, isObject, listAt, listOf, type Members } from "./read.ts";
import type { Walk } from "./walk.ts";

/** The types of JSON Schema, in the order in which they are told. */
const TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"] as const;
/** One of the types of JSON Schema. */
export type Type = (typeof TYPES)[number];

/** Keywords that only make sense for one type, for schemas that leave the type out. */
const TELLS = {
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  object: ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
} as const satisfies Partial<Record<Type, readonly string[]>>;

/** The type of a value; undefined for what JSON cannot hold. */
function typeOf(value: unknown): Type | undefined {
  if (value === null) return "null";
  if (listOf(value) !== undefined) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "string" || typeof value === "boolean" || isObject(value)
    ? (typeof value as Type)
    : undefined;
}

/** Tells whether a value is of one of the types; every integer is a number too. */
export function isOfType(value: unknown, types: readonly Type[]): boolean {
  const type = typeOf(value);
  return type !== undefined && (types.includes(type) || (type === "integer" && types.includes("number")));
}

/** The types that a schema declares, over all its parts and branches; undefined where any is allowed. */
export function typesOf(walk: Walk, node: unknown, depth = 0): readonly Type[] | undefined {
  let types: readonly Type[] | undefined;
  for (const part of partsOf(walk, node).all) {
    for (const more of [declared(part), ...unionsOf(part).map((branches) => typesOfAny(walk, branches, depth))])
      types = types === undefined || more === undefined ? (types ?? more) : both(types, more);
  }
  return types;
}

function typesOfAny(walk: Walk, branches: readonly unknown[], depth: number): readonly Type[] | undefined {
  if (depth > 4) return undefined;
  const found = new Set<Type>();
  for (const branch of branches) {
    const types = typesOf(walk, branch, depth + 1) ?? typesOfChoices(branch);
    if (types === undefined) return undefined;
    for (const type of types) found.add(type);
  }
  return [...found];
}

function typesOfChoices(node: unknown): readonly Type[] | undefined {
  const choices = has(node, "const") ? [at(node, "const")] : listAt(node, "enum").slice(0, 64);
  const types = choices.map(typeOf).filter((type) => type !== undefined);
  return types.length === 0 ? undefined : types;
}

function declared(part: Members): readonly Type[] | undefined {
  const type = at(part, "type");
  const named = TYPES.filter((one) => one === type || listOf(type)?.includes(one));
  if (named.length === 0) return undefined;
  return at(part, "nullable") === true && !named.includes("null") ? [...named, "null"] : named;
}

function both(some: readonly Type[], others: readonly Type[]): readonly Type[] {
  const within = (types: readonly Type[]) => (type: Type) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return [...new Set([...some.filter(within(others)), ...others.filter(within(some))])];
}

/** The type that the keywords of a schema speak of, where none is declared. */
export function impliedType(parts: readonly Members[]): Type | undefined {
  const tells = Object.entries(TELLS) as [Type, readonly string[]][];
  return tells.find(([, keywords]) => parts.some((part) => keywords.some((keyword) => has(part, keyword))))?.[0];
}
