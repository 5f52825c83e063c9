import { booleanAt, isObject, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import { valuesOf, withSpans } from "../json/members.ts";

/** The kinds of lists: the member of the result that has the entries, and the member that tells them apart. */
export const LISTS = {
  "tools/list": { member: "tools", key: "name", capability: "tools" },
  "prompts/list": { member: "prompts", key: "name", capability: "prompts" },
  "resources/list": { member: "resources", key: "uri", capability: "resources" },
  "resources/templates/list": { member: "resourceTemplates", key: "uriTemplate", capability: "resources" },
} as const;
export type ListMethod = keyof typeof LISTS;
export const LIST_METHODS = Object.keys(LISTS) as ListMethod[];

/** What one upstream listed: a tool, a prompt, a resource or a template. */
export interface Entry {
  /** The name that callers use, or the URI. */
  readonly key: string;
  /** Name or URI as the upstream knows it. */
  readonly target: string;
  /** The entry as callers get it: the upstream's JSON, with the caller's name in it. */
  readonly text: string;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly hasOutputSchema: boolean;
  readonly inputSchema: unknown;
}

/** Reads an entry of a list. Undefined where clients would refuse a whole list because of it. */
export function readEntry(method: ListMethod, bytes: Buffer, parsed: unknown, prefix: string): Entry | undefined {
  const { key: member } = LISTS[method];
  const target = stringAt(parsed, member);
  if (target === undefined || stringAt(parsed, "name") === undefined) return undefined;
  const isTool = method === "tools/list";
  const inputSchema = objectAt(parsed, "inputSchema");
  if (isTool && inputSchema?.["type"] !== "object") return undefined;
  const prefixed = member === "name" && prefix !== "";
  const annotations = isTool ? objectAt(parsed, "annotations") : undefined;
  return {
    key: prefixed ? prefix + target : target,
    target,
    text: (prefixed ? renamed(bytes, prefix + target) : bytes).toString("utf8"),
    readOnly: booleanAt(annotations, "readOnlyHint") === true,
    idempotent: booleanAt(annotations, "idempotentHint") === true,
    hasOutputSchema: isTool && isObject(objectAt(parsed, "outputSchema")),
    inputSchema: isTool ? inputSchema : undefined,
  };
}

/** Every value of a repeated key is replaced, so that all parsers read the same name. */
function renamed(bytes: Buffer, name: string): Buffer {
  return withSpans(bytes, valuesOf(bytes, 0, "name"), JSON.stringify(name));
}
