import type { Fault } from "@recourse/core";
import { protocol } from "@recourse/core/reasons";
import { hasHandshake } from "@recourse/core/wire";
import { toFlags } from "../call/abilities.ts";
import type { Call, Step, UpstreamRoute } from "../call/call.ts";
import { upstreamSessionKey } from "../call/session.ts";
import { TASK_PLACES, withoutFailureTexts, withTaskIds } from "./rewrite-task.ts";
import type { KnownTask, TaskIds, TaskOrigin } from "./task-ids.ts";

/**
 * Gives the tasks in an answer the ids that callers know them by. A call that started a task has its answer with it, so that
 * a stored outcome names the same task.
 */
export function nameTasks(ids: TaskIds): Step {
  return (call) => {
    const { route, answer, message, reply } = call;
    if (!(call.mayStartTask || isAboutTasks(message?.method)) || route?.kind !== "upstream") return undefined;
    if (answer === undefined || reply === undefined) return undefined;
    const names = new TaskNames(ids, call, route);
    const said = TEXT_PLACES[message?.method ?? ""]?.reduce(withoutFailureTexts, answer) ?? answer;
    call.answer = names.rename(said, placesFor(message?.method));
    call.judged = names.fault;
    return names.fault;
  };
}

/** Where answers have tasks whose failure was not judged. */
const TEXT_PLACES: Readonly<Record<string, readonly Parameters<typeof withoutFailureTexts>[1][]>> = {
  "tools/call": ["started", "known"],
  "tasks/cancel": ["known"],
};

function isAboutTasks(method: string | undefined): boolean {
  return method?.startsWith("tasks/") === true;
}

function placesFor(method: string | undefined) {
  switch (method) {
    case "tools/call":
      return TASK_PLACES.created;
    case "tasks/result":
      return TASK_PLACES.outcome;
    default:
      return TASK_PLACES.known;
  }
}

/** An answer names so many tasks at most: each costs a signature. */
const MAX_TASKS_NAMED = 1_000;

class TaskNames {
  readonly #ids: TaskIds;
  readonly #caller: string;
  readonly #route: UpstreamRoute;
  readonly #origin: TaskOrigin;
  #count = 0;
  #isRefused = false;

  constructor(ids: TaskIds, call: Call, route: UpstreamRoute) {
    this.#ids = ids;
    this.#caller = call.caller?.id ?? "";
    this.#route = route;
    this.#origin = {
      upstream: route.upstream.options.name,
      hasHandshake: hasHandshake(call.revision),
      session: hasSessions(route) ? upstreamSessionKey(call).slice(this.#caller.length) : undefined,
      abilities: toFlags(call.abilities),
      tool: route.tool?.name ?? "",
    };
  }

  /** The fault if an upstream has too many tasks, or an id that is too long. Its task runs, and cannot be asked for. */
  get fault(): Fault | undefined {
    return this.#isRefused ? invalidTasks(this.#route) : undefined;
  }

  rename(answer: Buffer, places: Parameters<typeof withTaskIds>[1]): Buffer {
    return withTaskIds(answer, places, (taskId) => this.#nameFor(taskId));
  }

  #nameFor(taskId: string): string | undefined {
    const { task, target } = this.#route;
    if (task !== undefined && taskId === target) return task.id;
    this.#count += 1;
    if (this.#count > MAX_TASKS_NAMED) this.#isRefused = true;
    if (this.#isRefused) return undefined;
    const known: KnownTask = { ...this.#origin, taskId };
    const name = this.#ids.write(this.#caller, known);
    if (name === undefined) this.#isRefused = true;
    return name;
  }
}

/** The fault of an answer whose tasks cannot be passed on. */
function invalidTasks({ upstream, tool }: UpstreamRoute): Fault {
  const origin = { layer: "upstream", name: upstream.options.name } as const;
  // A call that started a task has changed something; a question about tasks has not.
  const effect = tool === undefined ? "none" : "possible";
  return protocol.invalid_result.fault({}, { basis: "mapped", origin, effect });
}

/** A process has no sessions. */
function hasSessions({ upstream }: UpstreamRoute): boolean {
  return !("command" in upstream.options);
}
