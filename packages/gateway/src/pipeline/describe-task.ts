import type { Answerer, AnswerOptions } from "../answer/answer.ts";
import { writeTaskFailure } from "../answer/failed-task.ts";
import { Call, type Step, type UpstreamRoute } from "../call/call.ts";
import { skipSpace, valuesOf } from "../call/json-bytes.ts";
import { type Observer, runGuarded } from "../call/observer.ts";

/** What the description of a task needs. */
export interface DescribeTaskParts {
  /** Tells success from failure in an answer about a task. */
  readonly judge: Step;
  /** Gives tasks the ids that callers know. */
  readonly nameTasks: Step;
  readonly answerer: Answerer;
  readonly options: AnswerOptions;
  readonly observer: Pick<Observer, "unexpected">;
}

/**
 * A task in a notification of its upstream, for its caller: the same as `tasks/get` would give at that moment.
 * Undefined if the notification cannot be read.
 */
export function describeNotifiedTask(
  { judge, nameTasks, answerer, options, observer }: DescribeTaskParts,
  call: Call,
  route: UpstreamRoute,
  notification: Buffer,
): Buffer | undefined {
  const [params, ...more] = valuesOf(notification, skipSpace(notification, 0), "params");
  const { message } = call;
  if (params === undefined || more.length > 0 || message === undefined) return undefined;
  const body = Buffer.concat([TASK_ANSWER_START, notification.subarray(params.start, params.end), TASK_ANSWER_END]);
  const asking = { ...message, method: "tasks/get", id: 0, params: { taskId: route.task?.id } };
  const reply = { kind: "answer", status: 200, header: () => undefined, body } as const;
  const asked = Object.assign(new Call(call.origin, call.startedMs), call, { route, message: asking, reply, id: "0" });
  return runGuarded("notification about a task", observer, () => {
    if (judge(asked) !== undefined || nameTasks(asked) !== undefined || asked.answer === undefined) return undefined;
    const origin = { head: call.origin.head, isBodyTooSlow: false };
    const told =
      asked.taskFailure === undefined
        ? asked.answer
        : writeTaskFailure(asked, asked.answer, asked.taskFailure, { origin, answerer, options });
    const result = valuesOf(told, skipSpace(told, 0), "result").at(-1);
    return result && told.subarray(result.start, result.end);
  });
}

const TASK_ANSWER_START = Buffer.from('{"jsonrpc":"2.0","id":0,"result":');
const TASK_ANSWER_END = Buffer.from("}");
