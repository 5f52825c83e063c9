import { arrayAt, entriesOf, isJson, type Json, memberAt } from "../json.ts";
import type { JsonSchema } from "./walk.ts";

/** How the schemas below a node are treated. */
interface Below {
  /** Converts a schema that lies so many levels deeper. */
  readonly below: (child: unknown, levels: number) => JsonSchema;
  /** Whether a property does not exist on this side of the exchange. */
  readonly isHidden: (child: unknown) => boolean;
}

/** Branches describe the same value, so they hardly lie deeper. */
const BRANCH_LEVELS = 0.5;

/** The keywords of a node that hold schemas. */
export function convertChildren(node: Json, { below, isHidden }: Below): JsonSchema {
  const one = (child: unknown) => below(child, 1);
  const branches = (key: string) => arrayAt(node, key).map((child) => below(child, BRANCH_LEVELS));
  const items = memberAt(node, "items");
  const prefix = arrayAt(node, "prefixItems");
  return {
    ...members(node, one, isHidden),
    ...(items !== undefined && { items: one(items) }),
    ...(prefix.length > 0 && { prefixItems: prefix.map(one) }),
    ...unions(branches("anyOf"), branches("oneOf"), branches("allOf")),
  };
}

function members(node: Json, one: (child: unknown) => JsonSchema, isHidden: Below["isHidden"]): JsonSchema {
  const all = entriesOf(memberAt(node, "properties"));
  const hidden = new Set(all.filter(([, child]) => isHidden(child)).map(([key]) => key));
  const shown = all.filter(([key]) => !hidden.has(key));
  const required = arrayAt(node, "required").filter((key) => typeof key === "string" && !hidden.has(key));
  const others = memberAt(node, "additionalProperties");
  return {
    ...(shown.length > 0 && { properties: Object.fromEntries(shown.map(([key, child]) => [key, one(child)])) }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...(others === false && { additionalProperties: false }),
    ...(isJson(others) && Object.keys(others).length > 0 && { additionalProperties: one(others) }),
  };
}

/** `oneOf` becomes `anyOf`: branches that were left open fit more than once, and then `oneOf` would refuse the value. */
function unions(anyOf: readonly JsonSchema[], oneOf: readonly JsonSchema[], allOf: readonly JsonSchema[]): JsonSchema {
  if (anyOf.length > 0 && oneOf.length > 0) return { allOf: [...allOf, { anyOf }, { anyOf: oneOf }] };
  const some = anyOf.length > 0 ? anyOf : oneOf;
  return { ...(some.length > 0 && { anyOf: some }), ...(allOf.length > 0 && { allOf }) };
}
