import { OPEN_OBJECT, parseJson, RELATED_TASK_KEY, stringAt } from "@recourse/core/wire";
import type { RoutedTask } from "../call/call.ts";
import { eachMember, type Span, skipSpace, valuesOf } from "../call/json-bytes.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import type { UpstreamRequest } from "../call/upstream.ts";

/** Names of members, one inside the other. */
export type TaskPath = readonly string[];

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
function findSpansAt(json: Buffer, start: number, [name, ...rest]: TaskPath): readonly Span[] {
  if (name === undefined) return [];
  const found = valuesOf(json, start, name);
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

/** Where messages have tasks that are not judged. */
const TASK_OBJECTS = {
  notice: ["params"],
  /** The answer to a call that started a task, in the older era. */
  started: ["result", "task"],
  /** The same in the newer era, and the answer to a request about one task. */
  known: ["result"],
} as const satisfies Readonly<Record<string, TaskPath>>;

/** Bytes that a failed task cannot do without. The last one begins an escaped letter. */
const FAILED_SIGNS = ['"failed"', "\\u00"].map((sign) => Buffer.from(sign));

/**
 * The message without what its upstream says about tasks that failed. Such a sentence may hold anything, and is
 * reported as a fault by `tasks/get` and `tasks/result`.
 */
export function withoutFailureTexts(message: Buffer, place: keyof typeof TASK_OBJECTS): Buffer {
  if (!FAILED_SIGNS.some((sign) => message.includes(sign))) return message;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end } of findSpansAt(message, skipSpace(message, 0), TASK_OBJECTS[place])) {
    const task = message.subarray(start, end);
    const parsed = parseJson(task.toString(), Number.POSITIVE_INFINITY);
    if (stringAt(parsed, "status") !== "failed" || stringAt(parsed, "statusMessage") === undefined) continue;
    // What has no id is no task, but the result of a tool.
    if (stringAt(parsed, "taskId") === undefined) continue;
    pieces.push(message.subarray(from, start), withMembers(task, 0, { statusMessage: undefined }));
    from = end;
  }
  return from === 0 ? message : Buffer.concat([...pieces, message.subarray(from)]);
}

interface NamedTask {
  readonly task: RoutedTask;
  readonly taskId: string;
}

const NOTICE_PLACES = [...TASK_PLACES.notice, ...TASK_PLACES.related];

/**
 * A request about a task as its upstream gets it: in the session that started the task, with what its caller could be asked
 * then. What the upstream says meanwhile names the task as the caller knows it, and the caller's answers as the upstream does.
 */
export function inTaskSession(request: UpstreamRequest, { task, taskId }: NamedTask): UpstreamRequest {
  const { onNotification, onRequest } = request;
  const toCaller = (id: string) => (id === taskId ? task.id : undefined);
  const toUpstream = (id: string) => (id === task.id ? taskId : undefined);
  return {
    ...request,
    session: task.session === undefined ? request.session : request.caller.id + task.session,
    abilities: task.abilities,
    onNotification: (message) => onNotification(withTaskIds(message, NOTICE_PLACES, toCaller)),
    onRequest:
      onRequest &&
      (async ({ method, params }, signal) => {
        const named = params && withTaskIds(params, TASK_PLACES.relatedMember, toCaller);
        return withAnswerIds(await onRequest({ method, params: named }, signal), toUpstream);
      }),
  };
}

function withAnswerIds(answer: ServerAnswer, change: (taskId: string) => string | undefined): ServerAnswer {
  return "result" in answer ? { result: withTaskIds(answer.result, TASK_PLACES.relatedMember, change) } : answer;
}
