import type { RoutedTask } from "../call/call.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import type { UpstreamRequest } from "../call/upstream.ts";
import { TASK_PLACES, withTaskIds } from "./rewrite-task.ts";

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
