import { type Child, childOf, keysKnown } from "./child.ts";
import { partsOf } from "./parts.ts";
import { below, type Place, WHOLE } from "./place.ts";
import { at, has, isObject, listOf } from "./read.ts";
import { DEEPEST, type Walk } from "./walk.ts";

/** Where a path leads: as far as the schema and the arguments both go. */
export interface Spot {
  readonly place: Place;
  readonly node: unknown;
  readonly value: unknown;
  /** What ended it: the value is there, it is missing, or the schema does not have the key. */
  readonly state: "there" | "missing" | "unknown";
  /** The key that the schema does not have; never told. */
  readonly key?: string;
}

/** Follows a path through the schema and the arguments side by side. */
export function locate(walk: Walk, args: unknown, path: readonly (string | number)[]): Spot {
  let [place, node, value]: [Place, unknown, unknown] = [WHOLE, walk.root, args];
  for (const segment of path.slice(0, DEEPEST)) {
    const list = listOf(value);
    if (list === undefined && !isObject(value)) break;
    const key = list === undefined ? String(segment) : indexOf(segment);
    if (key === undefined) break;
    const child = childOf(walk, node, value, key);
    if (child === undefined || (!child.named && !has(value, key)))
      return typeof key === "string" && has(value, key) && namesKeys(walk, node, value)
        ? { place, node, value, state: "unknown", key }
        : { place, node, value, state: "there" };
    const here = below(place, key, child);
    if (!has(value, key)) return missing(here, child, list);
    [place, node, value] = [here, child.node, at(value, key)];
  }
  return { place, node, value, state: "there" };
}

/** A schema that names no keys and forbids none does not call any of them unknown. */
function namesKeys(walk: Walk, node: unknown, value: unknown): boolean {
  const isClosed = partsOf(walk, node).all.some((part) => at(part, "additionalProperties") === false);
  return isClosed || keysKnown(walk, node, value).length > 0;
}

function missing(place: Place, child: Child, list: readonly unknown[] | undefined): Spot {
  return { place, node: child.node, value: list, state: "missing" };
}

/** An index of an array, from a number or from its digits in a pointer. */
function indexOf(segment: string | number): number | undefined {
  const index = typeof segment === "number" || /^(?:0|[1-9]\d{0,5})$/.test(segment) ? Number(segment) : -1;
  return Number.isSafeInteger(index) && index >= 0 && index < 1_000_000 ? index : undefined;
}
