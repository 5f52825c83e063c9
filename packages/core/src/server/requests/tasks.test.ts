import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { EmptyResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import { erlmcp } from "../../dialects/index.ts";
import { guard } from "../guard.ts";

const taskId = "task-123";
const missing = { code: -32081, data: { taskId } };

async function refusalOf(method: string, params: object, taskStore = new InMemoryTaskStore()) {
  const capabilities = { tasks: { list: {}, cancel: {} } };
  const server = guard(new McpServer({ name: "s", version: "1" }, { capabilities, taskStore }), {
    dialect: erlmcp,
    sink: () => {},
  });
  const client = new Client({ name: "c", version: "1" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(near);
  await client.connect(far);
  try {
    return await client.request({ method, params } as never, EmptyResultSchema);
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

test.each(["tasks/get", "tasks/result", "tasks/cancel"])("%s: an unknown task is missing", async (method) => {
  expect(await refusalOf(method, { taskId })).toMatchObject(missing);
});

test("a task that has ended is not missing where it cannot be cancelled", async () => {
  const store = new InMemoryTaskStore();
  const task = await store.createTask({ ttl: 60_000 }, 1, { method: "tools/call", params: {} } as never);
  await store.storeTaskResult(task.taskId, "completed", { content: [] });
  expect(await refusalOf("tasks/cancel", { taskId: task.taskId }, store)).toMatchObject({ code: -32602 });
});

test("tasks/list: a cursor that the store never made is not valid, and a store that fails is something else", async () => {
  const cursor = "invalid_cursor_string";
  expect(await refusalOf("tasks/list", { cursor })).toMatchObject({ code: -32071, data: { cursor } });
  const store = new InMemoryTaskStore();
  store.listTasks = () => Promise.reject(new Error("no connection"));
  expect(await refusalOf("tasks/list", { cursor }, store)).not.toMatchObject({ code: -32071 });
});
