import { isJson, type Json } from "../json.ts";
import { resolve } from "../refs.ts";
import { convertChildren } from "./children.ts";
import { isHidden } from "./hidden.ts";
import { plainKeywords } from "./keywords.ts";
import { typesOf, withNull } from "./types.ts";
import type { JsonSchema, Walk } from "./walk.ts";

/** What a node may say beside its reference and does not change which values are valid. */
const ANNOTATIONS = new Set(["description", "default", "deprecated"]);
const NO_CONSTRAINTS = new Set([...ANNOTATIONS, "$ref", "title", "summary", "example", "examples", "nullable"]);

/** The keywords that hold schemas. */
const CHILDREN = ["properties", "items", "prefixItems", "additionalProperties", "allOf", "anyOf", "oneOf"];

/** Where a conversion stands: how deep, and inside which references. */
interface Spot {
  readonly depth: number;
  readonly inside: readonly string[];
}

/** The start of every conversion. */
const TOP: Spot = { depth: 0, inside: [] };

/**
 * A schema of the document as a tool may publish it. Every change loosens it: a value that the document allows is never
 * refused, and what is too deep, refers to itself or cannot be resolved is left open.
 */
export function convert(walk: Walk, node: unknown, spot: Spot = TOP): JsonSchema {
  walk.left -= 1;
  if (walk.left < 0) return {};
  if (node === false) return { not: {} };
  if (!isJson(node)) return {};
  const resolved = resolve(walk.document, node);
  if (!resolved.ok) {
    walk.notes.add("unresolved");
    return annotated({}, node);
  }
  if (resolved.refs.length === 0) return convertOwn(walk, node, spot);
  const isOpen = resolved.refs.some((ref) => spot.inside.includes(ref));
  const inside = isOpen ? spot : { ...spot, inside: [...spot.inside, ...resolved.refs] };
  const value = isJson(resolved.value) ? resolved.value : undefined;
  if (value === undefined) return convert(walk, resolved.value, inside);
  const target = isOpen ? cut(walk, value) : convertOwn(walk, value, inside);
  return beside(walk, node, target, spot);
}

/** What stands beside a reference counts in 3.1; 3.0 only lets it describe. */
function beside(walk: Walk, node: Json, target: JsonSchema, spot: Spot): JsonSchema {
  const isMore = Object.keys(node).some((key) => !NO_CONSTRAINTS.has(key) && !key.startsWith("x-"));
  if (walk.document.version === "3.0" || !isMore) return withNull(annotated(target, node), node);
  const { $ref: _, ...own } = node;
  const { description, ...more } = convertOwn(walk, own, spot);
  return { ...(description !== undefined && { description }), allOf: [target, more] };
}

function annotated(schema: JsonSchema, node: Json): Record<string, unknown> {
  const said = Object.entries(plainKeywords(node)).filter(([key]) => ANNOTATIONS.has(key));
  return { ...schema, ...Object.fromEntries(said) };
}

function convertOwn(walk: Walk, node: Json, spot: Spot): JsonSchema {
  if (spot.depth >= walk.deepest) return cut(walk, node);
  const below = (child: unknown, levels: number) => convert(walk, child, { ...spot, depth: spot.depth + levels });
  const children = convertChildren(node, { below, isHidden: (child) => isHidden(walk, child) });
  return withNull({ ...start(node), ...children }, node);
}

/** A schema without what lies below it. */
function cut(walk: Walk, node: Json): JsonSchema {
  if (CHILDREN.some((key) => Object.hasOwn(node, key))) walk.notes.add("cut");
  return withNull(start(node), node);
}

function start(node: Json): Record<string, unknown> {
  const types = typesOf(node);
  const type = types.length === 1 ? types[0] : types;
  return { ...(types.length > 0 && { type }), ...plainKeywords(node) };
}
