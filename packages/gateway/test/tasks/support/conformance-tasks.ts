// The tools that the official suite asks for in its scenarios about tasks, as a server of the newer era. No SDK has one.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import { DISCOVERED } from "./task-servers.ts";

type Json = Record<string, unknown>;
/** What a method ends with. */
type Outcome = { readonly result: Json } | { readonly error: Json };

/** A task that runs. */
interface RunningTask {
  readonly taskId: string;
  readonly createdAt: string;
  status: string;
  outcome: Json;
  inputRequests: Json;
  /** Runs when its caller has seen once that it works. */
  seen?: () => void;
  /** Runs when all questions are answered. */
  answered?: (answers: Json) => void;
  readonly answers: Json;
}

const EXTENSION = "io.modelcontextprotocol/tasks";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const text = (said: string) => ({ content: [{ type: "text", text: said }] });
const question = (message: string, name: string) => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { [name]: { type: "string" } }, required: [name] },
  },
});
const nameIn = (answer: unknown): string => Object.values((answer as { content?: Json })?.content ?? {}).join();

class TaskFixtures {
  readonly #tasks = new Map<string, RunningTask>();

  start(run: (task: RunningTask) => void): Outcome {
    const createdAt = new Date().toISOString();
    const task: RunningTask = {
      taskId: randomUUID(),
      createdAt,
      status: "working",
      outcome: {},
      inputRequests: {},
      answers: {},
    };
    this.#tasks.set(task.taskId, task);
    run(task);
    return { result: { ...this.#seed(task), resultType: "task" } };
  }

  end(task: RunningTask, status: "completed" | "failed", outcome: Json): void {
    if (task.status === "cancelled") return;
    Object.assign(task, { status, outcome, inputRequests: {} });
  }

  /** Ends a task once its caller has seen that it works, however long that takes. */
  endWhenSeen(task: RunningTask, status: "completed" | "failed", outcome: Json): void {
    task.seen = () => this.end(task, status, outcome);
  }

  ask(task: RunningTask, inputRequests: Json, answered: (answers: Json) => void): void {
    Object.assign(task, { status: "input_required", inputRequests, answered });
  }

  handle(method: string, { taskId, inputResponses }: Json): Outcome {
    const task = this.#tasks.get(String(taskId));
    if (task === undefined) return { error: { code: -32602, message: "Failed to retrieve task: Task not found" } };
    switch (method) {
      case "tasks/get": {
        const asks = task.status === "input_required" ? { inputRequests: task.inputRequests } : {};
        const result = { resultType: "complete", ...this.#seed(task), ...task.outcome, ...asks };
        task.seen?.();
        return { result };
      }
      case "tasks/cancel":
        if (task.status === "working" || task.status === "input_required") task.status = "cancelled";
        return ACKNOWLEDGED;
      default:
        this.#update(task, (inputResponses ?? {}) as Json);
        return ACKNOWLEDGED;
    }
  }

  #update(task: RunningTask, responses: Json): void {
    const pending = { ...task.inputRequests };
    for (const [key, value] of Object.entries(responses)) {
      if (!(key in pending)) continue;
      delete pending[key];
      task.answers[key] = value;
    }
    task.inputRequests = pending;
    if (task.status !== "input_required" || Object.keys(pending).length > 0) return;
    task.status = "working";
    task.answered?.(task.answers);
  }

  #seed({ taskId, status, createdAt }: RunningTask): Json {
    return { taskId, status, createdAt, lastUpdatedAt: new Date().toISOString(), ttlMs: 600_000, pollIntervalMs: 100 };
  }
}

const ACKNOWLEDGED: Outcome = { result: { resultType: "complete" } };

interface ToolCall {
  readonly args: Json;
  readonly params: Json;
  readonly fixtures: TaskFixtures;
}

/** The tools: what each does as a task, and without one where it can. */
const TOOLS: Readonly<Record<string, { task?: (call: ToolCall) => Outcome; plain?: (call: ToolCall) => Outcome }>> = {
  greet: { plain: ({ args }) => ({ result: { resultType: "complete", ...text(`Hello, ${String(args["name"])}!`) } }) },
  slow_compute: {
    task: ({ args, fixtures }) =>
      fixtures.start((task) => {
        // Those that take long are there to be cancelled.
        const isLong = Number(args["seconds"] ?? 1) >= 60;
        if (!isLong) fixtures.endWhenSeen(task, "completed", { result: text("computed") });
      }),
    plain: () => ({ result: { resultType: "complete", ...text("computed") } }),
  },
  failing_job: {
    task: ({ fixtures }) =>
      fixtures.start((task) =>
        fixtures.endWhenSeen(task, "completed", { result: { ...text("The job failed."), isError: true } }),
      ),
  },
  protocol_error_job: {
    task: ({ fixtures }) =>
      fixtures.start((task) =>
        fixtures.endWhenSeen(task, "failed", { error: { code: -32603, message: "Internal error" } }),
      ),
  },
  confirm_delete: {
    task: ({ fixtures }) =>
      fixtures.start((task) =>
        fixtures.ask(task, { confirm: question("Delete?", "confirm") }, () =>
          fixtures.end(task, "completed", { result: text("deleted") }),
        ),
      ),
  },
  multi_input: {
    task: ({ fixtures }) =>
      fixtures.start((task) =>
        fixtures.ask(task, { first: question("First?", "a"), second: question("Second?", "b") }, () =>
          fixtures.end(task, "completed", { result: text("both") }),
        ),
      ),
  },
  test_tool_with_task: {
    task: ({ params, fixtures }) => {
      const answers = params["inputResponses"] as Json | undefined;
      if (answers === undefined) {
        const inputRequests = { user_name: question("Your name?", "user_name") };
        return { result: { resultType: "input_required", inputRequests, requestState: "round-1" } };
      }
      const said = nameIn(answers["user_name"]);
      return fixtures.start((task) => fixtures.endWhenSeen(task, "completed", { result: text(`Hello ${said}`) }));
    },
  },
};

const MISSING = { code: -32021, message: "no", data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } };
const INFO = { ttlMs: 60_000, cacheScope: "private" };

function answer(fixtures: TaskFixtures, method: string, params: Json): Outcome {
  const capabilities = (params["_meta"] as Json | undefined)?.[CAPABILITIES] as { extensions?: Json } | undefined;
  const isDeclared = capabilities?.extensions?.[EXTENSION] !== undefined;
  if (method === "server/discover") return { result: DISCOVERED };
  if (method === "tools/list") {
    const tools = Object.keys(TOOLS).map((name) => ({ name, inputSchema: { type: "object" } }));
    return { result: { resultType: "complete", tools, ...INFO } };
  }
  if (method === "tools/call") {
    const tool = TOOLS[String(params["name"])];
    const run = isDeclared ? (tool?.task ?? tool?.plain) : tool?.plain;
    return run?.({ args: (params["arguments"] ?? {}) as Json, params, fixtures }) ?? { error: MISSING };
  }
  if (["tasks/get", "tasks/cancel", "tasks/update"].includes(method)) {
    return isDeclared ? fixtures.handle(method, params) : { error: MISSING };
  }
  return { error: { code: -32601, message: "Method not found" } };
}

/** Starts the server. */
export async function startConformanceTasks(): Promise<LoopbackServer> {
  const fixtures = new TaskFixtures();
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const {
      id,
      method,
      params = {},
    } = JSON.parse(Buffer.concat(chunks).toString()) as {
      id: unknown;
      method: string;
      params?: Json;
    };
    const outcome = answer(fixtures, method, params);
    const status = "error" in outcome && outcome.error["code"] === -32601 ? 404 : 200;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }));
  });
  return listenOnLoopback(server);
}
