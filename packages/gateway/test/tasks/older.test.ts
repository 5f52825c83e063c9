import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { holdTimers } from "@recourse/test-kit/held-timers";
import { expect, it } from "vitest";
import { ACME, keyed, OTHER } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { connectOlder, startOlderTaskServer, startTask, untilEnded } from "./support/task-servers.ts";

const HOUR_MS = 3_600_000;

async function world() {
  const server = await startOlderTaskServer();
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url, { era: "2025-11-25" })] }));
  return { server, gateway };
}

it("a call runs as a task, and its result is fetched, with the official client", async () => {
  const { gateway } = await world();
  const client = await connectOlder(gateway.url, { credential: ACME });
  expect(client.getServerCapabilities()?.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
  const seen: string[] = [];
  const stream = client.experimental.tasks.callToolStream({ name: "up__slow", arguments: {} }, CallToolResultSchema, {
    task: { ttl: 60_000 },
  });
  for await (const message of stream) {
    seen.push(message.type);
    if (message.type === "taskCreated") expect(message.task.taskId).toMatch(/^t1\.[\w-]+\.[\w-]{43}$/);
    if (message.type === "result") {
      expect(message.result.content).toEqual([{ type: "text", text: "done" }]);
      expect(message.result._meta?.["io.modelcontextprotocol/related-task"]).toMatchObject({
        taskId: expect.stringMatching(/^t1\./),
      });
    }
  }
  expect(seen).toEqual(["taskCreated", ...seen.filter((type) => type === "taskStatus"), "result"]);
});

it("a task is reached by its caller from every session, and by nobody else", async () => {
  const { gateway, server } = await world();
  const first = await connectOlder(gateway.url, { credential: ACME });
  const second = await connectOlder(gateway.url, { credential: ACME });
  const stranger = await connectOlder(gateway.url, { credential: OTHER });
  const taskId = await startTask(first, "up__slow", { end: "never" });
  expect(server.calls).toHaveLength(1);
  expect(await second.experimental.tasks.getTask(taskId)).toMatchObject({ taskId, status: "working" });
  const refusals = await Promise.all(
    [
      ["stranger", stranger, taskId],
      ["forged", first, `${taskId.slice(0, -1)}${taskId.endsWith("A") ? "B" : "A"}`],
      ["unknown", first, "786512e2-9e0d-44bd-8f29-789f320fe840"],
      ["empty", first, ""],
    ].flatMap(([, client, id]) =>
      (["getTask", "cancelTask", "getTaskResult"] as const).map((method) =>
        (client as typeof first).experimental.tasks[method](id as string).then(
          () => "reached",
          ({ code, message }: { code: number; message: string }) => `${code} ${message}`,
        ),
      ),
    ),
  );
  expect(new Set(refusals)).toEqual(new Set(["-32602 MCP error -32602: No such task."]));
  expect(await first.experimental.tasks.getTask(taskId)).toMatchObject({ status: "working" });
});

it("a task is cancelled", async () => {
  const { gateway } = await world();
  const client = await connectOlder(gateway.url, { credential: ACME });
  const taskId = await startTask(client, "up__slow", { end: "never" });
  expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({ taskId, status: "cancelled" });
  expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ taskId, status: "cancelled" });
  await expect(client.experimental.tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 });
});

it("a task that fails ends as a fault", async () => {
  const { gateway } = await world();
  const client = await connectOlder(gateway.url, { credential: ACME });
  const taskId = await startTask(client, "up__slow", { end: "error" });
  expect(await untilEnded(client, taskId)).toMatchObject({ status: "failed" });
  const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  expect(result).toMatchObject({
    isError: true,
    _meta: {
      "io.modelcontextprotocol/related-task": { taskId },
      "recourse/fault": { kind: "rate_limited", origin: { layer: "upstream", name: "up" } },
    },
  });
});

it.each(["broken", "wordy"])("a sentence about a failure is one of the gateway's (%s)", async (end) => {
  const { gateway } = await world();
  const client = await connectOlder(gateway.url, { credential: ACME });
  const taskId = await startTask(client, "up__slow", { end });
  const task = await untilEnded(client, taskId);
  expect(task).toMatchObject({ status: "failed", statusMessage: expect.any(String) });
  expect(task.statusMessage).not.toContain("secret.js");
  await expect(client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).rejects.toMatchObject({
    code: -32603,
    data: { "recourse/fault": { origin: { layer: "upstream", name: "up" } } },
  });
});

it("a result that is not there in time is asked for again", async () => {
  const server = await startOlderTaskServer();
  const upstream = httpUpstream(server.url, { era: "2025-11-25", timeoutMs: HOUR_MS });
  // The upstream works: whoever waits for a slow task must not stop the calls of others.
  const breaker = { failures: 1, pauseMs: 60_000, maxPauseMs: 60_000 };
  const gateway = await startTestGateway(keyed({ upstreams: [upstream], breaker, deadlineMs: 2 * HOUR_MS }));
  const client = await connectOlder(gateway.url, { credential: ACME });
  const taskId = await startTask(client, "up__slow", { end: "told" });
  using limit = holdTimers(HOUR_MS);
  const late = client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  late.catch(() => {});
  await expect.poll(() => limit.count).toBe(1);
  limit.fire();
  await expect(late).rejects.toMatchObject({
    code: -32603,
    data: { "recourse/fault": { reason: "task/timeout", effect: "none", retry: { allowed: true } } },
  });
  server.tell();
  await untilEnded(client, taskId);
  expect(await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject({
    content: [{ type: "text", text: "done" }],
  });
});
