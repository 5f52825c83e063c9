import type { Document } from "../document.ts";
import { arrayAt, entriesOf, isJson, type Json, memberAt } from "../json.ts";
import { resolve } from "../refs.ts";
import { isHidden } from "./hidden.ts";
import { typesOf } from "./types.ts";

/** One member of an object schema; several schemas where several parts of it name the member. */
export interface Member {
  readonly key: string;
  readonly node: unknown;
  readonly isRequired: boolean;
}

const DEEPEST = 16;
const MOST_PARTS = 100;
/** A branch of only these says which members go together, not what there is. */
const GROUPING = new Set(["required", "title", "description", "not"]);

/**
 * The members of an object schema, those of its `allOf` parts among them; undefined when it is not plainly an object
 * with members of its own names.
 */
export function membersOf(document: Document, node: unknown): readonly Member[] | undefined {
  const parts = partsOf(document, node, { depth: 0, inside: [], budget: { left: MOST_PARTS } });
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

interface Spot {
  readonly depth: number;
  readonly inside: readonly string[];
  readonly budget: { left: number };
}

function partsOf(document: Document, node: unknown, { depth, inside, budget }: Spot): readonly Json[] | undefined {
  const resolved = resolve(document, node);
  if (!resolved.ok || !isJson(resolved.value)) return undefined;
  budget.left -= 1;
  if (depth > DEEPEST || budget.left < 0 || resolved.refs.some((ref) => inside.includes(ref))) return undefined;
  const own = resolved.value;
  if (!isOpenObject(own) || !["anyOf", "oneOf"].every((key) => arrayAt(own, key).every(isGrouping))) return undefined;
  const parts: Json[] = [own];
  for (const part of arrayAt(own, "allOf")) {
    const more = partsOf(document, part, { depth: depth + 1, inside: [...inside, ...resolved.refs], budget });
    if (more === undefined) return undefined;
    parts.push(...more);
  }
  return parts;
}

/** An object whose further members, if it has any, are not described. */
function isOpenObject(node: Json): boolean {
  const types = typesOf(node);
  const others = memberAt(node, "additionalProperties");
  const describesOthers = isJson(others) && Object.keys(others).length > 0;
  return (types.length === 0 || types.includes("object")) && !describesOthers;
}

function isGrouping(branch: unknown): boolean {
  return isJson(branch) && Object.keys(branch).every((key) => GROUPING.has(key));
}
