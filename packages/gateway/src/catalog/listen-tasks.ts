import { arrayAt, type JsonObject, objectAt, parseJson, stringAt, TASKS_EXTENSION } from "@recourse/core/wire";
import { readSubjectToken } from "../auth/authenticator.ts";
import type { Call, UpstreamRoute } from "../call/call.ts";
import { upstreamSessionKey } from "../call/session.ts";
import { startsTasks } from "../tasks/task-support.ts";
import { type ListenMessage, type ListenParts, type ListenStart, listenToUpstream } from "./listen-upstream.ts";
import { NoticeQueue } from "./notifications.ts";
import type { TaskRoutes } from "./task-routes.ts";
import type { UpstreamLists } from "./upstream-lists.ts";

export const TASK_NOTICE = "notifications/tasks";

export interface TaskStreamParts extends ListenParts {
  readonly all: readonly UpstreamLists[];
  readonly routes: TaskRoutes;
  /**
   * A task as an upstream described it, for its caller: with the id that the caller knows, and with the fault if it
   * failed. Undefined if it cannot be read.
   */
  readonly describe: (call: Call, route: UpstreamRoute, task: Buffer) => Buffer | undefined;
}

type ListenedTasks = Map<string, UpstreamRoute>;

/** Larger notifications are left out: the caller asks for such a task itself. */
const MAX_NOTICE_BYTES = 262_144;

/** A stream that is opened again may be shown another token each time. */
const MAX_SHOWN_TOKENS = 16;

export class TaskStream {
  readonly #call: Call;
  readonly #parts: TaskStreamParts;
  readonly #agreed: string[] = [];
  /** The last word about each task, and where it belongs. */
  readonly #latest = new Map<string, { readonly task: Buffer; readonly route: UpstreamRoute }>();
  readonly #notices: NoticeQueue;
  readonly #byUpstream: ReadonlyMap<UpstreamLists, ListenedTasks>;

  /** `write` sends a notification with these params to the caller. */
  constructor(call: Call, taskIds: readonly string[], parts: TaskStreamParts, write: (params: Buffer) => void) {
    this.#call = call;
    this.#parts = parts;
    this.#byUpstream = this.#place(taskIds);
    this.#notices = new NoticeQueue(({ uri: taskId = "" }) => {
      const latest = this.#latest.get(taskId);
      this.#latest.delete(taskId);
      const params = latest && parts.describe(call, latest.route, latest.task);
      if (params !== undefined) write(params);
      return true;
    });
  }

  /** The ids, as the caller knows them, that upstreams have agreed to tell of so far. */
  get agreed(): readonly string[] {
    return this.#agreed;
  }

  get isEmpty(): boolean {
    return this.#byUpstream.size === 0;
  }

  follow(signal: AbortSignal): readonly Promise<void>[] {
    return [...this.#byUpstream].map(async ([lists, tasks]) => {
      const { caller } = this.#call;
      const started = await listenToUpstream(
        {
          lists,
          part: { taskIds: [...tasks.keys()] },
          capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
          ...(caller !== undefined && {
            address: {
              session: upstreamSessionKey(this.#call),
              caller,
              subjectToken: readSubjectToken(this.#call, lists.upstream.options),
              onCredential: (token: string) => this.#remember(token),
            },
          }),
          signal,
          onMessage: (message) => this.#hear(message, tasks),
        },
        this.#parts,
      );
      this.#agree(started, tasks);
    });
  }

  open(): void {
    this.#notices.open();
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#notices.close();
    this.#latest.clear();
  }

  /** Finds out which upstreams the tasks run at. What the caller does not reach is left out. */
  #place(taskIds: readonly string[]): ReadonlyMap<UpstreamLists, ListenedTasks> {
    const { all, routes } = this.#parts;
    const found = new Map<UpstreamLists, ListenedTasks>();
    for (const taskId of taskIds) {
      const route = routes.findTask(this.#call, taskId);
      if ("reason" in route || route.kind !== "upstream" || route.target === undefined) continue;
      const lists = all.find(({ upstream }) => upstream === route.upstream);
      if (lists === undefined || !startsTasks(lists)) continue;
      const tasks = found.get(lists) ?? new Map<string, UpstreamRoute>();
      found.set(lists, tasks.set(route.target, route));
    }
    return found;
  }

  #agree(started: ListenStart, tasks: ListenedTasks): void {
    if (started.kind !== "open") return;
    for (const taskId of arrayAt(started.agreed, "taskIds")) {
      const known = typeof taskId === "string" ? tasks.get(taskId)?.task?.id : undefined;
      if (known !== undefined) this.#agreed.push(known);
    }
  }

  /** What the upstream was shown is taken out of what it tells. */
  #remember(token: string): void {
    this.#call.shownTokens = [...(this.#call.shownTokens ?? []), token].slice(-MAX_SHOWN_TOKENS);
  }

  #hear({ method, bytes }: ListenMessage, tasks: ListenedTasks): void {
    if (method !== TASK_NOTICE || bytes.length > MAX_NOTICE_BYTES) return;
    const params: JsonObject | undefined = objectAt(parseJson(bytes.toString("utf8")), "params");
    const route = tasks.get(stringAt(params, "taskId") ?? "");
    const taskId = route?.task?.id;
    if (route === undefined || taskId === undefined) return;
    this.#latest.set(taskId, { task: bytes, route });
    this.#notices.send({ method: TASK_NOTICE, uri: taskId });
  }
}
