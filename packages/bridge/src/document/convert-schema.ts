import { arrayAt, entriesOf, isObject, type JsonObject, memberAt } from "@recourse/core/wire";
import { type Document, resolveRef } from "./document.ts";
import { copyKeywords, declaredTypes, type JsonSchemaObject, withNullable } from "./schema-keywords.ts";

export type SchemaNote = "cut" | "unresolved";

export interface Conversion {
  readonly document: Document;
  readonly maxDepth: number;
  budget: number;
  readonly notes: Set<SchemaNote>;
}

/** 600 schemas are about 15 kB in one tool. A model reads all tools before every call. */
const MAX_SCHEMAS = 600;
const DEPTHS = [12, 8, 6, 5, 4, 3, 2, 1];

interface FittedSchemas {
  readonly schemas: readonly JsonSchemaObject[];
  readonly notes: ReadonlySet<SchemaNote>;
}

/** Converts the schemas of one tool, as deep as all of them fit into the tool together. */
export function fitSchemas(document: Document, nodes: readonly unknown[], maxSchemas = MAX_SCHEMAS): FittedSchemas {
  for (let at = 0; ; at += 1) {
    const maxDepth = DEPTHS[at] ?? 0;
    const budget = maxDepth === 0 ? Infinity : maxSchemas;
    const conversion = { document, maxDepth, budget, notes: new Set<SchemaNote>() };
    const schemas = nodes.map((node) => convertSchema(conversion, node));
    if (conversion.budget >= 0) return { schemas, notes: conversion.notes };
  }
}

/** Keywords that describe a value and do not change which values are valid. */
const ANNOTATION_KEYWORDS = new Set(["description", "default", "deprecated"]);
/** Keywords beside a reference that add no constraint. */
const UNCONSTRAINING_KEYWORDS = new Set([
  ...ANNOTATION_KEYWORDS,
  ...["$ref", "title", "summary", "example", "examples", "nullable"],
]);

const CHILD_KEYWORDS = ["properties", "items", "prefixItems", "additionalProperties", "allOf", "anyOf", "oneOf"];

/** The position of a node: how deep it is, and inside which references. */
interface SchemaPosition {
  readonly depth: number;
  readonly inside: readonly string[];
}

const SCHEMA_START: SchemaPosition = { depth: 0, inside: [] };

/**
 * Converts a schema of the document into one that a tool may publish. Every change loosens the schema: a value that the
 * document allows is never refused. A part that is too deep, refers to itself or cannot be resolved is left open.
 */
export function convertSchema(conversion: Conversion, node: unknown, at = SCHEMA_START): JsonSchemaObject {
  conversion.budget -= 1;
  if (conversion.budget < 0) return {};
  if (node === false) return { not: {} };
  if (!isObject(node)) return {};
  const resolved = resolveRef(conversion.document, node);
  if (!resolved.ok) {
    conversion.notes.add("unresolved");
    return withAnnotations({}, node);
  }
  if (resolved.refs.length === 0) return convertOwn(conversion, node, at);
  const isRecursive = resolved.refs.some((ref) => at.inside.includes(ref));
  const inside = isRecursive ? at : { ...at, inside: [...at.inside, ...resolved.refs] };
  if (!isObject(resolved.value)) return convertSchema(conversion, resolved.value, inside);
  const target = isRecursive
    ? withoutChildren(conversion, resolved.value)
    : convertOwn(conversion, resolved.value, inside);
  // Keywords beside a reference are constraints in OpenAPI 3.1; in 3.0 they only describe.
  const hasConstraints = Object.keys(node).some((key) => !UNCONSTRAINING_KEYWORDS.has(key) && !key.startsWith("x-"));
  if (conversion.document.version === "3.0" || !hasConstraints)
    return withNullable(withAnnotations(target, node), node);
  const { $ref: _, ...own } = node;
  const { description, ...more } = convertOwn(conversion, own, at);
  return { ...(description !== undefined && { description }), allOf: [target, more] };
}

function withAnnotations(schema: JsonSchemaObject, node: JsonObject): Record<string, unknown> {
  const annotations = Object.entries(copyKeywords(node)).filter(([key]) => ANNOTATION_KEYWORDS.has(key));
  return { ...schema, ...Object.fromEntries(annotations) };
}

function convertOwn(conversion: Conversion, node: JsonObject, at: SchemaPosition): JsonSchemaObject {
  if (at.depth >= conversion.maxDepth) return withoutChildren(conversion, node);
  return withNullable({ ...ownKeywords(node), ...convertChildren(conversion, node, at) }, node);
}

function withoutChildren(conversion: Conversion, node: JsonObject): JsonSchemaObject {
  if (CHILD_KEYWORDS.some((key) => Object.hasOwn(node, key))) conversion.notes.add("cut");
  return withNullable(ownKeywords(node), node);
}

function ownKeywords(node: JsonObject): Record<string, unknown> {
  const types = declaredTypes(node);
  const type = types.length === 1 ? types[0] : types;
  return { ...(types.length > 0 && { type }), ...copyKeywords(node) };
}

/** Branches describe the same value, so they count as half a level. */
const BRANCH_LEVELS = 0.5;

function convertChildren(conversion: Conversion, node: JsonObject, at: SchemaPosition): JsonSchemaObject {
  const below = (levels: number) => (child: unknown) =>
    convertSchema(conversion, child, { ...at, depth: at.depth + levels });
  const branches = (key: string) => arrayAt(node, key).map(below(BRANCH_LEVELS));
  const items = memberAt(node, "items");
  const prefix = arrayAt(node, "prefixItems");
  return {
    ...objectKeywords(conversion, node, below(1)),
    ...(items !== undefined && { items: below(1)(items) }),
    ...(prefix.length > 0 && { prefixItems: prefix.map(below(1)) }),
    // A part of which nothing was kept says nothing. An alternative of which nothing was kept allows anything.
    ...unionKeywords({
      anyOf: branches("anyOf"),
      oneOf: branches("oneOf"),
      allOf: branches("allOf").filter((part) => Object.keys(part).length > 0),
    }),
  };
}

function objectKeywords(
  conversion: Conversion,
  node: JsonObject,
  convert: (child: unknown) => JsonSchemaObject,
): JsonSchemaObject {
  const all = entriesOf(memberAt(node, "properties"));
  const hidden = new Set(all.filter(([, child]) => isHidden(conversion.document, child)).map(([key]) => key));
  const shown = all.filter(([key]) => !hidden.has(key));
  const required = arrayAt(node, "required").filter((key) => typeof key === "string" && !hidden.has(key));
  const others = memberAt(node, "additionalProperties");
  return {
    ...(shown.length > 0 && { properties: Object.fromEntries(shown.map(([key, child]) => [key, convert(child)])) }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...(others === false && { additionalProperties: false }),
    ...(isObject(others) && Object.keys(others).length > 0 && { additionalProperties: convert(others) }),
  };
}

/** `oneOf` becomes `anyOf`: a value may fit several branches that were left open, and `oneOf` would then refuse it. */
function unionKeywords({ anyOf, oneOf, allOf }: Record<"anyOf" | "oneOf" | "allOf", JsonSchemaObject[]>) {
  if (anyOf.length > 0 && oneOf.length > 0) return { allOf: [...allOf, { anyOf }, { anyOf: oneOf }] };
  const union = anyOf.length > 0 ? anyOf : oneOf;
  return { ...(union.length > 0 && { anyOf: union }), ...(allOf.length > 0 && { allOf }) };
}

/** Whether a property does not belong into a request. */
export function isHidden(document: Document, node: unknown): boolean {
  const resolved = resolveRef(document, node);
  return memberAt(node, "readOnly") === true || (resolved.ok && memberAt(resolved.value, "readOnly") === true);
}
