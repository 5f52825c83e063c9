import type { Fault } from "@recourse/core";
import { limitReading } from "@recourse/core/safety";
import type { Call, Step, UpstreamRoute } from "../call/call.ts";
import { callerDialect } from "../call/caller.ts";
import type { UpstreamReply } from "../call/upstream.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FilterShare } from "../limits/shares.ts";
import type { CredentialCutter } from "./credential-cutter.ts";
import { type JudgeContext, judgeReply } from "./judge-reply.ts";
import { judgeTask } from "./judge-task.ts";

/** What the step needs. */
export interface JudgeParts {
  readonly catalog: Pick<Catalog, "toolName" | "markStale">;
  /** The clock, in ms since 1970. @default Date.now */
  readonly now?: () => number;
}

/** What is cut out, and how much is read. */
interface JudgeShares {
  readonly cutter: CredentialCutter;
  readonly filters: FilterShare;
}

/** What a reply means that came after its call was answered; undefined for a success. */
export function judgeLate({
  catalog,
  now = Date.now,
}: JudgeParts): (call: Call, reply: UpstreamReply) => Fault | undefined {
  return (call, reply) => {
    const { route } = call;
    if (route?.kind !== "upstream") return undefined;
    // Nobody reads its texts, so a share is not needed.
    const failed = limitReading(() => judgeReply(reply, judgeContext(call, route, { catalog, now })));
    return failed === "input_required" ? undefined : failed?.judged;
  };
}

/**
 * Tells success from failure in what the upstream answered: a success passes as the bytes that came, without the credential of
 * the gateway, and a failure becomes a fault.
 */
export function judge({ catalog, cutter, filters, now = Date.now }: JudgeParts & JudgeShares): Step {
  return (call) => {
    const { reply, route, caller } = call;
    if (reply === undefined || route?.kind !== "upstream" || caller === undefined) return undefined;
    // The filters have one limit for all that is done with one answer, since an upstream chooses what it answers.
    const failed = filters.run(caller, () => judgeReply(reply, judgeContext(call, route, { catalog, now })));
    if (failed === undefined || failed === "input_required") {
      call.asksForInput = failed !== undefined;
      if (reply.kind === "answer" && call.message?.id !== undefined) {
        call.taskFailure = readsTask(call)
          ? filters.run(caller, () =>
              judgeTask(reply, outcomeContext(messageContext(call, route, { catalog, now }), route)),
            )
          : undefined;
        call.answer = cutter.cutAnswer(reply.body, route.upstream.options, call.shownTokens);
      }
      return undefined;
    }
    call.judged = failed.judged;
    call.cause = failed.cause;
    call.textHidden = failed.textHidden;
    call.isTaskResult = failed.isResult === true && call.message?.method === TASK_RESULT;
    if (failed.stale) catalog.markStale(route.upstream, call);
    return failed.fault;
  };
}

/** The answer is that of a call which has become a task. */
const TASK_RESULT = "tasks/result";

/** Whether the answer states how a task has ended. */
function readsTask({ message }: Call): boolean {
  return message?.method === "tasks/get";
}

/** Methods about tasks that change something. */
const CHANGES_TASKS: ReadonlySet<string> = new Set(["tasks/cancel", "tasks/update"]);

function judgeContext(call: Call, route: UpstreamRoute, parts: Required<JudgeParts>): JudgeContext {
  const asked = messageContext(call, route, parts);
  return call.message?.method === TASK_RESULT ? outcomeContext(asked, route) : asked;
}

/** The same for the outcome of a task: it is judged like the answer of its tool. */
function outcomeContext(asked: JudgeContext, { task }: UpstreamRoute): JudgeContext {
  const name = task?.tool?.name;
  const { prefix } = asked.upstream;
  const target = name?.startsWith(prefix) === true ? name.slice(prefix.length) : undefined;
  return {
    ...asked,
    method: "tools/call",
    params: undefined,
    names: { ...asked.names, target, name },
    isTaskResult: true,
  };
}

function messageContext(call: Call, route: UpstreamRoute, { catalog, now }: Required<JudgeParts>): JudgeContext {
  const { message, origin } = call;
  const { upstream, target, tool } = route;
  const { method = "", id, params } = message ?? {};
  const named = params?.["name"];
  return {
    upstream: upstream.options,
    foreignText: upstream.options.foreignText ?? callerDialect(call)?.foreignText ?? "public",
    method,
    id,
    params,
    head: origin.head,
    shownTokens: call.shownTokens,
    names: {
      target,
      name: tool?.name ?? (typeof named === "string" ? named : undefined),
      toolName: (name) => catalog.toolName(upstream, name, call),
    },
    inputSchema: method === "tools/call" ? tool?.inputSchema : undefined,
    readsOnly:
      method === "tools/call"
        ? tool?.readOnly === true && upstream.options.trustAnnotations
        : !CHANGES_TASKS.has(method),
    mayBeTask: call.mayStartTask,
    caller: call,
    limitMs: upstream.options.timeoutMs,
    now: now(),
  };
}
