import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolResultSchema, CreateTaskResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { guard, memoryIdempotency } from "../index.ts";

// A tool of version 1 that may run as a task is polled by the SDK for callers that do not ask for one.

async function connect(started: unknown[]): Promise<Client> {
  const taskStore = new InMemoryTaskStore();
  const server = new McpServer(
    { name: "s", version: "1" },
    { capabilities: { tasks: { requests: { tools: { call: {} } } } }, taskStore },
  );
  guard(server, { sink: () => {}, idempotency: { store: memoryIdempotency() } });
  server.experimental.tasks.registerToolTask(
    "slow",
    { inputSchema: { n: z.number() }, execution: { taskSupport: "optional" } },
    {
      async createTask({ n }, { taskStore }) {
        started.push(n);
        if (n === 0) throw new TypeError("hunter2");
        const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 1 });
        const isFailed = n < 0;
        const text = isFailed ? "password=hunter2Sommer" : `done ${started.length}`;
        const result = { content: [{ type: "text", text }], ...(isFailed && { isError: true }) };
        await taskStore.storeTaskResult(task.taskId, isFailed ? "failed" : "completed", result);
        return { task };
      },
      getTask: async (_args, { taskId, taskStore }) => taskStore.getTask(taskId),
      getTaskResult: async (_args, { taskId, taskStore }) => taskStore.getTaskResult(taskId) as never,
    },
  );
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(async () => {
    await client.close();
    taskStore.cleanup();
  });
  return client;
}

it("the result of a failed task is checked, whether it is polled or asked for", async () => {
  const client = await connect([]);
  const polled = await call(client, -1, "p");
  expect(polled).toMatchObject({ isError: true, _meta: { "recourse/fault": { reason: "tool/failed" } } });
  const params = { name: "slow", arguments: { n: -1 }, task: { ttl: 60_000 } };
  const { task } = await client.request({ method: "tools/call", params }, CreateTaskResultSchema);
  const asked = await client.request({ method: "tasks/result", params: { taskId: task.taskId } }, CallToolResultSchema);
  expect(asked).toMatchObject({ isError: true, _meta: { "recourse/fault": { reason: "tool/failed" } } });
  expect(JSON.stringify([polled, asked])).not.toContain("hunter2");
});

const call = (client: Client, n: unknown, key = "k") =>
  client.callTool({ name: "slow", arguments: { n }, _meta: { "recourse/call": { key } } });

it("a task that is polled for its caller runs once for its key", async () => {
  const started: unknown[] = [];
  const client = await connect(started);
  const first = await call(client, 1);
  expect(first).toMatchObject({ content: [{ text: "done 1" }] });
  expect(await call(client, 1)).toEqual(first);
  expect(started).toEqual([1]);
});

it("its handler is not given arguments that were refused, and what it throws is masked", async () => {
  const started: unknown[] = [];
  const client = await connect(started);
  const refused = await call(client, "one");
  expect(refused).toMatchObject({ isError: true, _meta: { "recourse/fault": { reason: "tool/invalid_arguments" } } });
  expect(started).toEqual([]);
  const failed = await call(client, 0);
  expect(failed).toMatchObject({ isError: true, _meta: { "recourse/fault": { reason: "core/internal" } } });
  expect(JSON.stringify(failed)).not.toContain("hunter2");
});
