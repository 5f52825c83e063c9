import { booleanAt, isObject, objectAt, parseJson, stringAt } from "@recourse/faults/internal-do-not-use";
import { hasControl } from "../config/control-characters.ts";
import { membersOf, withSpans } from "../json/members.ts";
import { skipValue, TOO_DEEP } from "../json/skip.ts";

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

/** Entries that are nested deeper are refused: schemas are walked, and nothing that is read may use up the stack. */
const MAX_DEPTH = 128;

/** Names and URIs stand in headers, log lines, labels of metrics and rows of stores, so they are not of any length. */
const MAX_KEY_LENGTH = { name: 512, uri: 8_192, uriTemplate: 8_192 } as const;

/**
 * Reads an entry of a list. Undefined where clients would refuse a whole list because of it, where a member of it is repeated,
 * so that two parsers could read two entries, where it is nested too deep, and where its name or URI is no text that can be
 * passed on: too long, or with control characters.
 */
export function readEntry(method: ListMethod, bytes: Buffer, prefix: string): Entry | undefined {
  const { key: member } = LISTS[method];
  if (skipValue(bytes, 0, MAX_DEPTH) === TOO_DEEP) return undefined;
  const members = membersOf(bytes, 0);
  const text = bytes.toString("utf8");
  const parsed = members === undefined ? undefined : parseJson(text, Number.POSITIVE_INFINITY);
  const target = stringAt(parsed, member);
  const name = members?.get("name");
  if (target === undefined || name === undefined || stringAt(parsed, "name") === undefined) return undefined;
  if (!isPlainText(target, MAX_KEY_LENGTH[member])) return undefined;
  const isTool = method === "tools/list";
  const inputSchema = objectAt(parsed, "inputSchema");
  if (isTool && inputSchema?.["type"] !== "object") return undefined;
  const prefixed = member === "name" && prefix !== "";
  const annotations = isTool ? objectAt(parsed, "annotations") : undefined;
  return {
    key: prefixed ? prefix + target : target,
    target,
    text: prefixed ? withSpans(bytes, [name], JSON.stringify(prefix + target)).toString("utf8") : text,
    readOnly: booleanAt(annotations, "readOnlyHint") === true,
    idempotent: booleanAt(annotations, "idempotentHint") === true,
    hasOutputSchema: isTool && isObject(objectAt(parsed, "outputSchema")),
    inputSchema: isTool ? inputSchema : undefined,
  };
}

/** Whether a text has no control characters, no half characters, and not more than so many characters. */
function isPlainText(text: string, maxLength: number): boolean {
  return text.length <= maxLength && text.isWellFormed() && !hasControl(text);
}
