import { amendFault } from "@recourse/core";
import { Call, type TaskFailure } from "../call/call.ts";
import { skipSpace, valuesOf } from "../call/json-bytes.ts";
import type { HttpOrigin } from "../edge/http-origin.ts";
import { withMembers } from "../tasks/rewrite-task.ts";
import { type Answerer, type AnswerOptions, stampAndReport } from "./answer.ts";

/** What the failure of a task is written with. */
interface FailedTaskParts {
  readonly origin: Pick<HttpOrigin, "head" | "isBodyTooSlow">;
  readonly answerer: Answerer;
  readonly options: AnswerOptions;
}

/**
 * The answer to `tasks/get` with the failure of the task as its caller would have got it from the tool: the outcome, if
 * the answer has it, and the sentence about it. The first time, it is an incident like any other failure.
 */
export function writeTaskFailure(
  call: Call,
  answer: Buffer,
  failure: TaskFailure,
  { origin, answerer, options }: FailedTaskParts,
): Buffer {
  const task = valuesOf(answer, skipSpace(answer, 0), "result").at(-1);
  const taskId = call.route?.kind === "upstream" ? call.route.task?.id : undefined;
  if (task === undefined || taskId === undefined) return answer;
  const { judged, cause, textHidden, isInline, isResult } = failure;
  const before = isInline ? options.toldFailures.find(taskId) : undefined;
  const fault = before === undefined ? failure.fault : amendFault(failure.fault, before);
  // The request itself did not fail, so what is written is about another call.
  const about = { judged, cause, textHidden, isTaskResult: isResult, isRepeat: !isInline || before !== undefined };
  const failed = Object.assign(new Call(call.origin, call.startedMs), call, about);
  const { sent, answer: written } = stampAndReport(origin, failed, fault, answerer, options);
  if (isInline && before === undefined) options.toldFailures.add(taskId, { incident: sent.incident, at: sent.at });
  const { error, result } = written.wire;
  const saysMore = valuesOf(answer, task.start, "statusMessage").length > 0;
  return withMembers(answer, task.start, {
    ...(saysMore && { statusMessage: JSON.stringify(written.text) }),
    // A JSON-RPC error has another status than a result that is a failure.
    ...(isInline && {
      status: error === undefined ? '"completed"' : '"failed"',
      error: error && JSON.stringify(error),
      result: error === undefined ? JSON.stringify(result ?? {}) : undefined,
    }),
  });
}
