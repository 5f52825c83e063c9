import { OPEN_OBJECT, parseJson, RELATED_TASK_KEY } from "@recourse/core/wire";
import { eachMember, elementsOf, type Span, skipSpace, valuesOf } from "../call/json-bytes.ts";

export const EACH: unique symbol = Symbol("each element");

/** Names of members, one inside the other. */
export type TaskPath = readonly (string | typeof EACH)[];

/** Where messages name tasks. */
export const TASK_PLACES = {
  /** The answer to a call that started a task, in both eras. */
  created: [
    ["result", "task", "taskId"],
    ["result", "taskId"],
    ["result", "_meta", RELATED_TASK_KEY, "taskId"],
  ],
  /** The answer to a request about one task. */
  known: [
    ["result", "taskId"],
    ["result", "_meta", RELATED_TASK_KEY, "taskId"],
  ],
  /** The result of a task, whose own members belong to its tool. */
  outcome: [["result", "_meta", RELATED_TASK_KEY, "taskId"]],
  listed: [["result", "tasks", EACH, "taskId"]],
  /** A notification about a task. */
  notice: [["params", "taskId"]],
  /** A notification or a request that belongs to a task. */
  related: [["params", "_meta", RELATED_TASK_KEY, "taskId"]],
  /** The params of such a request, or the result that answers it. */
  relatedMember: [["_meta", RELATED_TASK_KEY, "taskId"]],
} as const satisfies Readonly<Record<string, readonly TaskPath[]>>;

/** Bytes to be put in place of others. */
interface TaskEdit extends Span {
  readonly text: string;
}

/**
 * The JSON with other ids of tasks. `change` gets each of them, and gives the new one; undefined if it stays as it is.
 * All other bytes stay as they came. Of repeated members all are changed.
 */
export function withTaskIds(
  json: Buffer,
  places: readonly TaskPath[],
  change: (taskId: string) => string | undefined,
): Buffer {
  const edits: TaskEdit[] = [];
  for (const place of places) {
    for (const span of findSpansAt(json, skipSpace(json, 0), place)) {
      const id = parseJson(json.toString("utf8", span.start, span.end), Number.POSITIVE_INFINITY);
      const changed = typeof id === "string" ? change(id) : undefined;
      if (changed !== undefined) edits.push({ ...span, text: JSON.stringify(changed) });
    }
  }
  return edits.length === 0 ? json : withEdits(json, edits);
}

/** The values at a path of names below the value at `start`. */
export function findSpansAt(json: Buffer, start: number, [name, ...rest]: TaskPath): readonly Span[] {
  if (name === undefined) return [];
  const found = name === EACH ? [...elementsOf(json, start)] : valuesOf(json, start, name);
  return rest.length === 0 ? found : found.flatMap((span) => findSpansAt(json, span.start, rest));
}

function withEdits(json: Buffer, edits: TaskEdit[]): Buffer {
  edits.sort((one, other) => one.start - other.start);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end, text } of edits) {
    parts.push(json.subarray(from, start), Buffer.from(text));
    from = end;
  }
  parts.push(json.subarray(from));
  return Buffer.concat(parts);
}

/**
 * The JSON with other members in the object at `start`: each name that is given is taken out, and put in again with its
 * text if it has one. All other members stay as they came, in their order.
 */
export function withMembers(
  json: Buffer,
  start: number,
  members: Readonly<Record<string, string | undefined>>,
): Buffer {
  if (json[start] !== OPEN_OBJECT) return json;
  const kept: string[] = [];
  const end = eachMember(json, start, (keyStart, keyEnd, value) => {
    const name = parseJson(json.toString("utf8", keyStart - 1, keyEnd + 1), Number.POSITIVE_INFINITY);
    const isReplaced = typeof name === "string" && Object.hasOwn(members, name);
    if (!isReplaced) kept.push(json.toString("utf8", keyStart - 1, value.end));
    return true;
  });
  if (end === -1) return json;
  for (const [name, text] of Object.entries(members)) {
    if (text !== undefined) kept.push(`${JSON.stringify(name)}:${text}`);
  }
  return Buffer.concat([json.subarray(0, start), Buffer.from(`{${kept.join()}}`), json.subarray(end)]);
}
