import { type Json, stringAt } from "../../../dialects/wire.ts";
import { FaultError } from "../../../fault/error.ts";
import { cancelled, failed, not_found, timeout } from "../../../reasons/library/task.ts";
import { aborted, within } from "../clock.ts";
import type { Context, Method, Task, World } from "./world.ts";

/** Begins a task and tells its name at once. */
export function startTask(world: World, run: (signal: AbortSignal) => Promise<Json>): Json {
  const id = world.mint("task");
  const stop = new AbortController();
  const { taskMs } = world.limits;
  const late = () => timeout({ taskId: id, timeoutMs: taskMs });
  const ran = within(taskMs, { signal: stop.signal, late }, async (signal) => {
    const result = await Promise.race([run(signal), aborted(stop.signal)]);
    if (stop.signal.aborted || result === undefined) throw cancelled({ taskId: id });
    return result;
  });
  const outcome = ran.catch((thrown: unknown) => {
    throw thrown instanceof FaultError && thrown.fault.reason.startsWith("task/") ? thrown : failure(id, thrown);
  });
  const task: Task = { id, createdAt: world.clock.now(), status: "working", stop, outcome };
  outcome.then(
    () => settle(task, "completed"),
    () => settle(task, stop.signal.aborted ? "cancelled" : "failed"),
  );
  world.tasks.set(id, task);
  return { task: viewOf(task) };
}

function settle(task: Task, status: Task["status"]): void {
  task.status = status;
}

/** The tool's own fault, told as the task's. */
function failure(taskId: string, thrown: unknown): FaultError {
  const reason = FaultError.is(thrown) ? thrown.fault.params?.["reason"] : undefined;
  return failed({ taskId, ...(typeof reason === "string" && { reason }) });
}

function viewOf({ id, status, createdAt }: Task): Json {
  const at = new Date(createdAt).toISOString();
  return { taskId: id, status, createdAt: at, lastUpdatedAt: at, ttl: null };
}

function taskOf({ world, ask }: Context): Task {
  const taskId = stringAt(ask.params, "taskId") ?? "";
  const task = world.tasks.get(taskId);
  if (task === undefined) throw not_found({ taskId });
  return task;
}

export const TASK_METHODS = {
  "tasks/get": (context) => viewOf(taskOf(context)),
  "tasks/list": ({ world }) => ({ tasks: [...world.tasks.values()].map(viewOf) }),
  "tasks/result": (context) => taskOf(context).outcome,
  async "tasks/cancel"(context) {
    const task = taskOf(context);
    task.stop.abort();
    await task.outcome.catch(() => undefined);
    return viewOf(task);
  },
  // The same question as `tasks/get`, of an older experiment that answers with a code of its own.
  "experimental/tasks/get": (context) => viewOf(taskOf(context)),
} as const satisfies Record<string, Method>;
