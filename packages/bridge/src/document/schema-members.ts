import { arrayAt, entriesOf, isObject, type JsonObject, memberAt } from "@recourse/wire";
import { isHidden } from "./convert-schema.ts";
import type { Document } from "./document.ts";
import { resolveRef } from "./refs.ts";
import { declaredTypes } from "./schema-keywords.ts";

/** One member of an object schema. If several `allOf` parts describe the member, the node joins them with `allOf`. */
export interface ObjectMember {
  readonly key: string;
  readonly node: unknown;
  readonly isRequired: boolean;
}

const MAX_ALL_OF_DEPTH = 16;
const MAX_PARTS = 100;
/** A branch with only these keywords says which members belong together, not which members exist. */
const GROUPING_KEYWORDS = new Set(["required", "title", "description", "not"]);

/**
 * The members of an object schema, with those of its `allOf` parts. Undefined when the schema is not certain to be an object
 * with named members.
 */
export function schemaMembers(document: Document, node: unknown): readonly ObjectMember[] | undefined {
  const parts = objectParts(document, node, { depth: 0, inside: [], budget: { left: MAX_PARTS } });
  if (parts === undefined) return undefined;
  const required = new Set(parts.flatMap((part) => arrayAt(part, "required")));
  const nodes = new Map<string, unknown[]>();
  for (const [key, child] of parts.flatMap((part) => entriesOf(memberAt(part, "properties")))) {
    const same = nodes.get(key);
    if (same === undefined) nodes.set(key, [child]);
    else same.push(child);
  }
  const members = [...nodes]
    .filter(([, all]) => !all.some((child) => isHidden({ document, side: "request" }, child)))
    .map(([key, all]) => ({ key, node: all.length === 1 ? all[0] : { allOf: all }, isRequired: required.has(key) }));
  return members.length > 0 ? members : undefined;
}

interface PartSearch {
  readonly depth: number;
  readonly inside: readonly string[];
  readonly budget: { left: number };
}

function objectParts(
  document: Document,
  node: unknown,
  { depth, inside, budget }: PartSearch,
): readonly JsonObject[] | undefined {
  const resolved = resolveRef(document, node);
  if (!resolved.ok || !isObject(resolved.value)) return undefined;
  budget.left -= 1;
  const isTooLarge = depth > MAX_ALL_OF_DEPTH || budget.left < 0;
  if (isTooLarge || resolved.refs.some((ref) => inside.includes(ref))) return undefined;
  const own = resolved.value;
  if (!isOpenObject(own) || !["anyOf", "oneOf"].every((key) => arrayAt(own, key).every(isGrouping))) return undefined;
  const parts: JsonObject[] = [own];
  for (const part of arrayAt(own, "allOf")) {
    const more = objectParts(document, part, { depth: depth + 1, inside: [...inside, ...resolved.refs], budget });
    if (more === undefined) return undefined;
    parts.push(...more);
  }
  return parts;
}

/** Whether a schema is an object that does not describe further members. */
function isOpenObject(node: JsonObject): boolean {
  const types = declaredTypes(node);
  const others = memberAt(node, "additionalProperties");
  const describesOthers = isObject(others) && Object.keys(others).length > 0;
  return (types.length === 0 || types.includes("object")) && !describesOthers;
}

function isGrouping(branch: unknown): boolean {
  return isObject(branch) && Object.keys(branch).every((key) => GROUPING_KEYWORDS.has(key));
}
