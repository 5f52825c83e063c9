import type { Fault } from "@recourse/core";
import { hasHandshake } from "@recourse/core/wire";
import { fromFlags } from "../call/abilities.ts";
import type { Call, Route, UpstreamRoute } from "../call/call.ts";
import type { TaskIds } from "../tasks/task-ids.ts";
import { declaresTasks } from "../tasks/task-support.ts";
import type { Refusals } from "./methods.ts";
import type { UpstreamLists } from "./upstream-lists.ts";
import type { View } from "./view.ts";

export interface TaskRouteParts {
  readonly ids: TaskIds | undefined;
  readonly all: readonly UpstreamLists[];
  readonly refusals: Refusals;
  createView(call: Call): View;
}

export class TaskRoutes {
  readonly #parts: TaskRouteParts;

  constructor(parts: TaskRouteParts) {
    this.#parts = parts;
  }

  /**
   * The route of a request about one task: to the upstream that the id names. Tasks stay in their era, since each era
   * has its own messages about them. A caller that may not see the tool any more does not see its task.
   */
  findTask(call: Call, taskId: string): Route | Fault {
    const { ids, all, refusals, createView } = this.#parts;
    const isOlder = hasHandshake(call.revision);
    if (!isOlder && !declaresTasks(call.message?.meta)) return refusals.tasksUndeclared();
    const task = ids?.read(call.caller?.id ?? "", taskId);
    const lists = all.find(({ upstream }) => upstream.options.name === task?.upstream);
    if (task === undefined || lists === undefined || task.hasHandshake !== isOlder) return refusals.task();
    const view = createView(call);
    if (!view.mayReach(lists) || (task.tool !== "" && !view.mayName(task.tool))) return refusals.task();
    const tool = view.find("tools/list", task.tool)?.route;
    return {
      kind: "upstream",
      upstream: lists.upstream,
      target: task.taskId,
      tool: undefined,
      task: {
        id: taskId,
        session: task.session,
        abilities: fromFlags(task.abilities),
        tool: tool?.upstream === lists.upstream ? tool.tool : undefined,
      },
    } satisfies UpstreamRoute;
  }
}
