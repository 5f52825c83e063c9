import { arrayAt, entriesOf, isObject, type JsonObject, memberAt } from "@recourse/core/wire";
import { isHidden } from "./convert-schema.ts";
import { type Document, resolveRef } from "./document.ts";
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
  let budget = MAX_PARTS;

  /** Undefined if a part is no object, or if there are too many. */
  function objectParts(part: unknown, depth = 0, inside: readonly string[] = []): readonly JsonObject[] | undefined {
    const resolved = resolveRef(document, part);
    budget -= 1;
    if (!resolved.ok || !isObject(resolved.value) || depth > MAX_ALL_OF_DEPTH || budget < 0) return undefined;
    const own = resolved.value;
    const hasOnlyGroups = ["anyOf", "oneOf"].every((key) => arrayAt(own, key).every(isGrouping));
    if (!isOpenObject(own) || !hasOnlyGroups || resolved.refs.some((ref) => inside.includes(ref))) return undefined;
    const parts = [own];
    for (const one of arrayAt(own, "allOf")) {
      const more = objectParts(one, depth + 1, [...inside, ...resolved.refs]);
      if (more === undefined) return undefined;
      parts.push(...more);
    }
    return parts;
  }

  const parts = objectParts(node);
  if (parts === undefined) return undefined;
  const required = new Set(parts.flatMap((part) => arrayAt(part, "required")));
  const entries = parts.flatMap((part) => entriesOf(memberAt(part, "properties")));
  const members = [...Map.groupBy(entries, ([key]) => key)]
    .map(([key, same]) => ({ key, nodes: same.map(([, child]) => child) }))
    .filter(({ nodes }) => !nodes.some((child) => isHidden(document, child)))
    .map(({ key, nodes: [first, ...more] }) => ({
      key,
      node: more.length === 0 ? first : { allOf: [first, ...more] },
      isRequired: required.has(key),
    }));
  return members.length > 0 ? members : undefined;
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
