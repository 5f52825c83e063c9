// Which upstreams see that a caller wants a task.
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { ACME, keyed } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";
import {
  askNewer,
  connectOlder,
  startNewerTaskServer,
  startOlderTaskServer,
  startTask,
  taskChild,
} from "./support/task-servers.ts";

it("a caller of the older era does not get tasks of a newer upstream, and asks for none there", async () => {
  const server = await startNewerTaskServer(() => ({ result: { resultType: "complete", content: [] } }));
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url)] }));
  const client = await connectOlder(gateway.url, { credential: ACME });
  expect(client.getServerCapabilities()?.tasks).toBeUndefined();
  const params = { name: "up__slow", arguments: {}, task: { ttl: 1 } };
  expect(await client.request({ method: "tools/call", params }, CallToolResultSchema)).toMatchObject({ content: [] });
  const sent = server.received[0]?.params;
  expect(sent).not.toHaveProperty("task");
  expect(JSON.stringify(sent)).not.toContain("io.modelcontextprotocol/tasks");
});

it("a caller of the newer era does not get tasks of an older upstream, and its extension stays here", async () => {
  const server = await startOlderTaskServer();
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url, { era: "2025-11-25" })] }));
  const options = { credential: ACME };
  const discovered = await askNewer(gateway.url, "server/discover", {}, options);
  expect(discovered.text).not.toContain("io.modelcontextprotocol/tasks");
  const params = { name: "up__slow", arguments: {}, task: { ttl: 1 } };
  const called = await askNewer(gateway.url, "tools/call", params, options);
  expect(called.json().result).toMatchObject({ content: [{ type: "text", text: "done" }] });
});

it("a tool that runs only as a task says so to callers of the newer era, and serves those of its own", async () => {
  const server = await startOlderTaskServer();
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url, { era: "2025-11-25" })] }));
  const refused = await askNewer(gateway.url, "tools/call", { name: "up__required" }, { credential: ACME });
  expect(refused.json().error?.message).toContain("requires task augmentation");
  const client = await connectOlder(gateway.url, { credential: ACME });
  const { tools } = await client.listTools();
  expect(tools.find(({ name }) => name === "up__required")?.execution).toEqual({ taskSupport: "required" });
  expect(await startTask(client, "up__required")).toMatch(/^t1\./);
});

it("a task of the one era is not reached in the other", async () => {
  const server = await startOlderTaskServer();
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url, { era: "2025-11-25" })] }));
  const client = await connectOlder(gateway.url, { credential: ACME });
  const taskId = await startTask(client, "up__slow");
  const got = await askNewer(gateway.url, "tasks/get", { taskId }, { credential: ACME });
  expect(got.json().error).toMatchObject({ code: -32602, message: "No such task." });
});

it("an upstream that has announced no tasks is not asked for one", async () => {
  const upstream = await startStubUpstream();
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(upstream.url)] }));
  await askNewer(
    gateway.url,
    "tools/call",
    { name: "up__echo", arguments: {}, task: { ttl: 1 } },
    { credential: ACME },
  );
  expect(upstream.received).toHaveLength(1);
  expect(upstream.received[0]?.text).not.toContain('"task"');
});

it("tasks are not listed, since servers list those of all callers", async () => {
  const gateway = await startTestGateway(keyed({ upstreams: [taskChild()] }));
  const client = await connectOlder(gateway.url, { credential: ACME });
  expect(client.getServerCapabilities()?.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
  await expect(client.experimental.tasks.listTasks()).rejects.toThrow();
});
