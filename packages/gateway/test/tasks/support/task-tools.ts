// A server of version 1 of the official SDK whose tool runs as a task.
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { type CallToolResult, ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

/** What the sessions of one server share. */
interface TaskParts {
  readonly taskStore: InMemoryTaskStore;
  readonly taskMessageQueue: InMemoryTaskMessageQueue;
  /** The sessions that calls came in. */
  readonly calls: (string | undefined)[];
  /** Resolves when `tell` is called. */
  readonly told: Promise<void>;
  /** Completes the tasks that wait to be told so. */
  readonly tell: () => void;
}

export function createTaskParts(): TaskParts {
  const { promise: told, resolve: tell } = Promise.withResolvers<void>();
  return {
    taskStore: new InMemoryTaskStore(),
    taskMessageQueue: new InMemoryTaskMessageQueue(),
    calls: [],
    told,
    tell,
  };
}

const text = (said: string) => [{ type: "text" as const, text: said }];

type Ending = (
  server: McpServer,
  taskId: string,
  told: Promise<void>,
) => Promise<["completed" | "failed", CallToolResult] | string>;

/** How a task ends. */
const ENDS: Readonly<Record<"ok" | "error" | "broken" | "wordy" | "never" | "told" | "ask", Ending>> = {
  ok: async () => ["completed", { content: text("done") }],
  error: async () => ["failed", { isError: true, content: text("API rate limit exceeded. Retry after 7 seconds.") }],
  /** Without a result, only with a sentence. */
  broken: async () => "TypeError: x is undefined at /srv/app/secret.js:1:2",
  /** The same with very many words. */
  wordy: async () => "TypeError: x is undefined at /srv/app/secret.js:1:2 ".repeat(400),
  never: () => new Promise(() => {}),
  told: async (_server, _taskId, told) => {
    await told;
    return ["completed", { content: text("done") }];
  },
  /** Asks the user for a name. */
  ask: async (server, taskId) => {
    const properties = { name: { type: "string" as const } };
    const params = {
      mode: "form" as const,
      message: "Your name?",
      requestedSchema: { type: "object" as const, properties },
    };
    const options = { relatedTask: { taskId } };
    const answer = await server.server.request({ method: "elicitation/create", params }, ElicitResultSchema, options);
    return ["completed", { content: text(`Hello ${String(answer.content?.["name"] ?? answer.action)}`) }];
  },
};

/** A server for one session. */
export function buildTaskServer({ taskStore, taskMessageQueue, calls, told }: TaskParts): McpServer {
  const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
  const options = { capabilities: { tasks }, taskStore, taskMessageQueue };
  const server = new McpServer({ name: "tasks", version: "1.0.0" }, options);
  const inputSchema = {
    end: z.enum(["ok", "error", "broken", "wordy", "ask", "never", "told"]).optional(),
  };
  server.experimental.tasks.registerToolTask(
    "slow",
    { inputSchema, execution: { taskSupport: "optional" } },
    {
      async createTask({ end = "ok" }, extra) {
        calls.push(extra.sessionId);
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 20 });
        const { taskId } = task;
        const finish = async () => {
          if (end === "ask") await taskStore.updateTaskStatus(taskId, "input_required", undefined, extra.sessionId);
          const ended = await ENDS[end](server, taskId, told);
          if (typeof ended === "string") {
            await taskStore.updateTaskStatus(taskId, "failed", ended, extra.sessionId);
            return;
          }
          const [status, result] = ended;
          await taskStore.storeTaskResult(taskId, status, result, extra.sessionId);
        };
        setImmediate(() => void finish().catch(() => {}));
        // The store changes its own as the task ends.
        return { task: { ...task } };
      },
      getTask: (_args, { taskStore: own, taskId }) => own.getTask(taskId),
      getTaskResult: async (_args, { taskStore: own, taskId }) => (await own.getTaskResult(taskId)) as CallToolResult,
    },
  );
  server.experimental.tasks.registerToolTask(
    "required",
    { execution: { taskSupport: "required" } },
    {
      createTask: async (extra) => ({ task: await extra.taskStore.createTask({ ttl: 60_000 }) }),
      getTask: ({ taskStore: own, taskId }) => own.getTask(taskId),
      getTaskResult: async ({ taskStore: own, taskId }) => (await own.getTaskResult(taskId)) as CallToolResult,
    },
  );
  return server;
}
