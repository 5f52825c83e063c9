import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "@recourse/core/wire";
import type { TaskFailure } from "../call/call.ts";
import { type AnsweredReply, type JudgeContext, judgeOutcome } from "./judge-reply.ts";
import { parseSuspect } from "./read-answer.ts";

/**
 * The failure of the task that an answer to `tasks/get` is about; undefined if it did not fail, or the body does not
 * say so. The newer era states the outcome in the answer; the older one only says that the task has failed.
 */
export function judgeTask(reply: AnsweredReply, asked: JudgeContext): TaskFailure | undefined {
  const task = objectAt(parseSuspect(reply.body), "result");
  const outcome = task && readOutcome(task);
  const failed = outcome && judgeOutcome(outcome.failed, reply, asked);
  if (failed === undefined || outcome === undefined) return undefined;
  const { fault, judged, cause, textHidden, isResult = true } = failed;
  return { fault, judged, cause, textHidden, isInline: outcome.isInline, isResult };
}

interface TaskOutcome {
  readonly failed: { readonly error: JsonObject } | { readonly result: JsonObject };
  readonly isInline: boolean;
}

/** What may be a failure in a task. */
function readOutcome(task: JsonObject): TaskOutcome | undefined {
  const { error, result } = task;
  if (isObject(error)) return { failed: { error }, isInline: true };
  if (isObject(result)) return { failed: { result: withTrueFlag(result) }, isInline: true };
  const said = stringAt(task, "statusMessage");
  if (task["status"] !== "failed" || said === undefined) return undefined;
  const text = { type: "text", text: said };
  return { failed: { result: { isError: true, content: [text] } }, isInline: false };
}

/** A client may take any value that counts as true for a failure. */
function withTrueFlag(result: JsonObject): JsonObject {
  const { isError } = result;
  const isMarked = isError !== undefined && isError !== false && isError !== null;
  return isMarked ? { ...result, isError: true, content: arrayAt(result, "content") } : result;
}
