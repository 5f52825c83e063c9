// A task that asks its user something while its result is waited for.
import { CallToolResultSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import type { UpstreamConfig } from "../../src/config/types.ts";
import { ACME, keyed } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { connectOlder, startOlderTaskServer, startTask, taskChild } from "./support/task-servers.ts";

const RELATED = "io.modelcontextprotocol/related-task";

it.each([
  [
    "over HTTP",
    async (): Promise<UpstreamConfig> => httpUpstream((await startOlderTaskServer()).url, { era: "2025-11-25" }),
  ],
  ["over stdio", async (): Promise<UpstreamConfig> => taskChild({ prefix: "up__" })],
])("the question names the task as its caller does, %s", async (_, upstream) => {
  const gateway = await startTestGateway(keyed({ upstreams: [await upstream()] }));
  const client = await connectOlder(gateway.url, { credential: ACME, capabilities: { elicitation: { form: {} } } });
  const related: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    related.push(params._meta?.[RELATED]);
    return { action: "accept", content: { name: "Ann" } };
  });
  const taskId = await startTask(client, "up__slow", { end: "ask" });
  const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
  expect(result.content).toEqual([{ type: "text", text: "Hello Ann" }]);
  expect(related).toEqual([{ taskId }]);
});
