import { parseJson, stringAt } from "@recourse/core/wire";
import { skipSpace } from "../call/json-bytes.ts";
import { EACH, findSpansAt, type TaskPath, withMembers } from "./rewrite-task.ts";

/** Where messages have tasks that are not judged. */
const TASK_OBJECTS = {
  notice: ["params"],
  list: ["result", "tasks", EACH],
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
