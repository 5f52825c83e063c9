// Tool calls that run as tasks, and the methods `tasks/…`.
import { FaultError } from "../../../fault/error.ts";
import { type JsonObject, stringAt } from "../../../json/read.ts";
import { cancelled, failed, not_found, timeout } from "../../../reasons/library/task.ts";
import { untilAborted, withTimeout } from "../clock.ts";
import type { MethodContext, MethodHandler, PeerTask, ServerState } from "./state.ts";

/** Starts a task and returns its description at once. */
export function startTask(state: ServerState, run: (signal: AbortSignal) => Promise<JsonObject>): JsonObject {
  const id = state.nextId("task");
  const stop = new AbortController();
  const { taskMs } = state.limits;
  const timeoutError = () => timeout({ taskId: id, timeoutMs: taskMs });
  const ran = withTimeout(taskMs, { signal: stop.signal, timeoutError }, async (signal) => {
    const result = await Promise.race([run(signal), untilAborted(stop.signal)]);
    if (stop.signal.aborted || result === undefined) throw cancelled({ taskId: id });
    return result;
  });
  const outcome = ran.catch((thrown: unknown) => {
    throw thrown instanceof FaultError && thrown.fault.reason.startsWith("task/") ? thrown : taskFailure(id, thrown);
  });
  const task: PeerTask = { id, createdAt: state.clock.now(), status: "working", stop, outcome };
  outcome.then(
    () => {
      task.status = "completed";
    },
    () => {
      task.status = stop.signal.aborted ? "cancelled" : "failed";
    },
  );
  state.tasks.set(id, task);
  return { task: describeTask(task) };
}

/** The fault of a task whose tool failed. */
function taskFailure(taskId: string, thrown: unknown): FaultError {
  const reason = FaultError.is(thrown) ? thrown.fault.params?.["reason"] : undefined;
  return failed({ taskId, ...(typeof reason === "string" && { reason }) });
}

function describeTask({ id, status, createdAt }: PeerTask): JsonObject {
  const at = new Date(createdAt).toISOString();
  return { taskId: id, status, createdAt: at, lastUpdatedAt: at, ttl: null };
}

function taskOf({ state, request }: MethodContext): PeerTask {
  const taskId = stringAt(request.params, "taskId") ?? "";
  const task = state.tasks.get(taskId);
  if (task === undefined) throw not_found({ taskId });
  return task;
}

export const TASK_METHODS = {
  "tasks/get": (context) => describeTask(taskOf(context)),
  "tasks/list": ({ state }) => ({ tasks: [...state.tasks.values()].map(describeTask) }),
  "tasks/result": (context) => taskOf(context).outcome,
  async "tasks/cancel"(context) {
    const task = taskOf(context);
    task.stop.abort();
    await task.outcome.catch(() => undefined);
    return describeTask(task);
  },
  // An older, experimental form of `tasks/get` that answers with its own error code.
  "experimental/tasks/get": (context) => describeTask(taskOf(context)),
} as const satisfies Record<string, MethodHandler>;
