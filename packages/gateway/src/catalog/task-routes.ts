import type { Fault } from "@recourse/core";
import { hasHandshake, parseJson } from "@recourse/core/wire";
import { fromFlags } from "../call/abilities.ts";
import type { Call, Route, UpstreamRoute } from "../call/call.ts";
import type { TaskIds } from "../tasks/task-ids.ts";
import { declaresTasks, listsTasks } from "../tasks/task-support.ts";
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

  /** The route of a page of tasks: to the upstream that the cursor names, or to the first one. */
  findPage(call: Call, cursor: unknown): Route | Fault {
    const { all, refusals, createView } = this.#parts;
    const view = createView(call);
    const listing = all.filter((lists) => listsTasks(lists) && view.reaches(lists));
    const [first] = listing;
    const asked =
      cursor === undefined ? { upstream: first?.upstream.options.name, cursor: undefined } : readTaskCursor(cursor);
    if (asked === undefined) return refusals.cursor(String(cursor));
    const at = listing.findIndex(({ upstream }) => upstream.options.name === asked.upstream);
    const lists = listing[at];
    if (lists === undefined) return cursor === undefined ? NO_TASKS : refusals.cursor(String(cursor));
    const following = listing[at + 1]?.upstream.options.name;
    return {
      kind: "upstream",
      upstream: lists.upstream,
      target: undefined,
      tool: undefined,
      page: { cursor: asked.cursor, next: following === undefined ? undefined : writeTaskCursor(following, undefined) },
    } satisfies UpstreamRoute;
  }
}

const NO_TASKS: Route = { kind: "local", answer: () => '{"tasks":[]}' };

/**
 * A cursor of callers: the upstream, and its own cursor if it has one. It gives access to nothing, so it is not signed.
 */
export function writeTaskCursor(upstream: string, cursor: string | undefined): string {
  return Buffer.from(JSON.stringify([upstream, ...(cursor === undefined ? [] : [cursor])])).toString("base64url");
}

function readTaskCursor(text: unknown): { readonly upstream: string; readonly cursor: string | undefined } | undefined {
  const list = typeof text === "string" ? parseJson(Buffer.from(text, "base64url").toString()) : undefined;
  if (!Array.isArray(list)) return undefined;
  const [upstream, cursor] = list as unknown[];
  if (typeof upstream !== "string" || (cursor !== undefined && typeof cursor !== "string")) return undefined;
  return { upstream, cursor };
}
