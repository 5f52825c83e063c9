import { narrow } from "./narrow.ts";
import { conditionalsOf, partsOf, unionsOf } from "./parts.ts";
import { matches } from "./pattern.ts";
import { at, has, keysOf, listAt, listOf, type Members, stringAt } from "./read.ts";
import { spend, type Walk } from "./walk.ts";

/** What a schema says about one key or index of a value. */
export interface Child {
  readonly node: unknown;
  /** Whether the schema names it; a key that it only allows was chosen by the caller. */
  readonly named: boolean;
  /** Where it stands in the order of the schema. */
  readonly rank: number;
}

/** Keys that the schema only allows stand after all that it names. */
export const LAST = Number.MAX_SAFE_INTEGER;

/** The schema of a key or an index below a value; undefined when the schema knows of none. */
export function childOf(walk: Walk, node: unknown, value: unknown, key: string | number, depth = 0): Child | undefined {
  if (depth > 8) return undefined;
  const found: Child[] = [];
  let offset = 0;
  for (const part of partsOf(walk, node).all) {
    const own = typeof key === "number" ? itemOf(part, key) : memberOf(walk, part, key);
    if (own !== undefined) found.push({ ...own, rank: own.rank === LAST ? LAST : own.rank + offset });
    offset += widthOf(walk, part);
    const choices = [...unionsOf(part).map((branches) => narrow(walk, branches, value).fitting), conditionalsOf(part)];
    for (const branches of choices) {
      const each = branches
        .map((branch) => childOf(walk, branch, value, key, depth + 1))
        .filter((one) => one !== undefined);
      const one = merged(each, "anyOf");
      if (one !== undefined) found.push({ ...one, rank: one.rank === LAST ? LAST : one.rank + offset });
    }
  }
  return merged(found, "allOf");
}

/** How many places the own keys of a part take in the order of the schema. */
export function widthOf(walk: Walk, part: Members): number {
  const keys = keysOf(at(part, "properties")).length + listAt(part, "required").length;
  spend(walk, keys);
  return keys;
}

/** Several schemas of one key as one; where some name it, those that only allow it say nothing. */
function merged(children: readonly Child[], keyword: "allOf" | "anyOf"): Child | undefined {
  const named = children.filter((child) => child.named);
  const told = named.length > 0 ? named : children;
  const [first] = told;
  if (first === undefined || told.length === 1) return first;
  return { node: { [keyword]: told.map((child) => child.node) }, named: first.named, rank: first.rank };
}

function memberOf(walk: Walk, part: Members, key: string): Child | undefined {
  const properties = at(part, "properties");
  if (has(properties, key)) return { node: at(properties, key), named: true, rank: keysOf(properties).indexOf(key) };
  const others = at(part, "additionalProperties");
  const required = listAt(part, "required").indexOf(key);
  if (required >= 0 || listAt(at(part, "propertyNames"), "enum").includes(key))
    return { node: others ?? true, named: true, rank: keysOf(properties).length + Math.max(0, required) };
  if (isMisnamed(walk, at(part, "propertyNames"), key)) return undefined;
  const pattern = patternsOf(part).find((source) => matches(walk, source, key) === true);
  if (pattern !== undefined) return { node: at(at(part, "patternProperties"), pattern), named: false, rank: LAST };
  return others === undefined || others === false ? undefined : { node: others, named: false, rank: LAST };
}

/** Tells whether a schema of names rules a key out, by its list or its pattern. */
function isMisnamed(walk: Walk, names: unknown, key: string): boolean {
  const pattern = stringAt(names, "pattern");
  // A name that its list holds was found before.
  return listAt(names, "enum").length > 0 || (pattern !== undefined && matches(walk, pattern, key) === false);
}

/** The patterns of keys that a part allows. */
export function patternsOf(part: Members): readonly string[] {
  return keysOf(at(part, "patternProperties")).slice(0, 16);
}

function itemOf(part: Members, index: number): Child | undefined {
  const items = at(part, "items");
  // Before 2020-12 a list of `items` was what `prefixItems` is now.
  const first = listOf(items) ?? listAt(part, "prefixItems");
  const rest = listOf(items) === undefined ? items : at(part, "additionalItems");
  const node = index < first.length ? first[index] : rest;
  return node === undefined ? undefined : { node, named: true, rank: index };
}

/** The keys that the schema names below a value, in its order. */
export function keysKnown(walk: Walk, node: unknown, value: unknown, depth = 0): readonly string[] {
  const known = new Set<string>();
  for (const part of depth > 8 ? [] : partsOf(walk, node).all) {
    spend(walk, widthOf(walk, part));
    for (const key of keysOf(at(part, "properties"))) known.add(key);
    for (const key of [...listAt(part, "required"), ...listAt(at(part, "propertyNames"), "enum")])
      if (typeof key === "string") known.add(key);
    const branches = [...unionsOf(part).flatMap((one) => narrow(walk, one, value).fitting), ...conditionalsOf(part)];
    for (const branch of branches) for (const key of keysKnown(walk, branch, value, depth + 1)) known.add(key);
  }
  return [...known];
}
