// Calls with keys and approvals that become tasks, at two replicas.
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { eventually } from "@recourse/test-kit/eventually";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { postgresApprovals } from "../../src/approvals/postgres-approvals.ts";
import type { GatewayConfig } from "../../src/config/types.ts";
import { poolOf } from "../approvals/support.ts";
import { ACME, OTHER, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { post, type RawAnswer } from "../support/post.ts";
import {
  askNewer,
  connectOlder,
  KNOWS_TASKS,
  SEED,
  startNewerTaskServer,
  startOlderTaskServer,
  startTask,
  untilEnded,
} from "./support/task-servers.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => engines?.close());
beforeEach(holdTime);

let keys = 0;
const newKey = () => `task key ${keys++}`;

async function startNewer(changes: Partial<GatewayConfig> = {}) {
  let started = 0;
  const server = await startNewerTaskServer(({ method, params }) => {
    if (method !== "tools/call")
      return { result: { resultType: "complete", taskId: params["taskId"], status: "working", ...SEED } };
    started += 1;
    return { result: { resultType: "task", taskId: `up-${started}`, status: "working", ...SEED } };
  });
  const shared = engines.shared({ upstreams: [httpUpstream(server.url)], ...changes });
  const [one, two] = [await startTestGateway(shared), await startTestGateway(shared)];
  return { server, one, two, started: () => started };
}

function callWithKey(url: URL, key: string, options: { credential?: string; id?: number } = {}): Promise<RawAnswer> {
  const { credential = ACME, id = 1 } = options;
  const meta = { ...KNOWS_TASKS, "recourse/call": { key } };
  return askNewer(url, "tools/call", { name: "up__slow", arguments: {} }, { credential, meta, id });
}

const resultIn = (answer: RawAnswer) => JSON.stringify(answer.json().result ?? answer.json().error);

it("repeating a key gives the same task, at every replica, and another caller has its own", async () => {
  const { one, two, started } = await startNewer();
  const key = newKey();
  const first = await callWithKey(one.url, key);
  const { taskId } = first.json().result as { taskId: string };
  await eventually(async () => expect(resultIn(await callWithKey(two.url, key, { id: 2 }))).toBe(resultIn(first)));
  expect(started()).toBe(1);
  const got = await askNewer(two.url, "tasks/get", { taskId }, { credential: ACME });
  expect(got.json().result).toMatchObject({ taskId, status: "working" });
  const other = await callWithKey(one.url, key, { credential: OTHER });
  expect(resultIn(other)).not.toBe(resultIn(first));
  expect(started()).toBe(2);
  expect((await askNewer(two.url, "tasks/get", { taskId }, { credential: OTHER })).json().error?.code).toBe(-32602);
});

/** A call of the older era, without a session. */
function callOlder(url: URL, params: object, { key, id = 1 }: { key?: string; id?: number } = {}): Promise<RawAnswer> {
  const meta = key === undefined ? {} : { _meta: { "recourse/call": { key } } };
  const body = { jsonrpc: "2.0", id, method: "tools/call", params: { name: "up__slow", ...params, ...meta } };
  return post(url, JSON.stringify(body), {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
    authorization: `Bearer ${ACME}`,
  });
}

it("a key of the older era is for one call: with a task it is another one than without", async () => {
  const server = await startOlderTaskServer();
  const shared = engines.shared({ upstreams: [httpUpstream(server.url, { era: "2025-11-25" })] });
  const [one, two] = [await startTestGateway(shared), await startTestGateway(shared)];
  const key = newKey();
  const first = await callOlder(one.url, { task: { ttl: 60_000 } }, { key });
  expect(first.json().result).toMatchObject({ task: { taskId: expect.stringMatching(/^t1\./), status: "working" } });
  await eventually(async () => {
    expect(resultIn(await callOlder(two.url, { task: { ttl: 60_000 } }, { key, id: 2 }))).toBe(resultIn(first));
  });
  for (const params of [{}, { task: {} }, { task: { ttl: 60_001 } }]) {
    expect(resultIn(await callOlder(one.url, params, { key }))).toContain("idempotency/key_reused");
  }
  expect(server.calls).toHaveLength(1);
});

it("an approval is for the call with its task, and is used up by it", async () => {
  const pool = poolOf(engines.url);
  const store = postgresApprovals(pool);
  try {
    const server = await startOlderTaskServer();
    const approvals = { tools: ["up__*"], denied: [], expiresMs: 900_000, link: "https://ops.example.com/{id}" };
    const upstreams = [httpUpstream(server.url, { era: "2025-11-25" })];
    const gateway = await startTestGateway(engines.shared({ upstreams, approvals }));
    const params = { arguments: { end: "ok" }, task: { ttl: 60_000 } };
    const approvalIn = (answer: RawAnswer) => /"approval":"([0-9A-Z]{26})"/.exec(answer.text)?.[1] ?? "";
    const asked = approvalIn(await callOlder(gateway.url, params));
    expect(asked).not.toBe("");
    // Without the task, or with another one, it is another call.
    const others = [{ ...params, task: { ttl: 1 } }, { arguments: params.arguments }];
    const ids = await Promise.all(others.map(async (one) => approvalIn(await callOlder(gateway.url, one))));
    expect(new Set([asked, ...ids]).size).toBe(3);
    await store.decide({ id: asked, approve: true, by: "ann" });
    expect((await callOlder(gateway.url, params)).json().result).toHaveProperty("task");
    expect(server.calls).toHaveLength(1);
    expect(approvalIn(await callOlder(gateway.url, params))).not.toBe("");
    expect(server.calls).toHaveLength(1);
  } finally {
    await pool.end();
  }
});

it("a task of a session is reached at every replica, in the session of the upstream that started it", async () => {
  const server = await startOlderTaskServer();
  const shared = engines.shared({ upstreams: [httpUpstream(server.url, { era: "2025-11-25" })] });
  const [one, two] = [await startTestGateway(shared), await startTestGateway(shared)];
  const [first, second] = [
    await connectOlder(one.url, { credential: ACME }),
    await connectOlder(two.url, { credential: ACME }),
  ];
  const taskId = await startTask(first, "up__slow");
  // The store of the SDK knows a task only in its session.
  expect(await untilEnded(second, taskId)).toMatchObject({ status: "completed" });
  expect(await second.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject({
    content: [{ type: "text", text: "done" }],
  });
});

it("whoever may not see the tool any more does not see its task", async () => {
  const { server, one } = await startNewer();
  const started = await callWithKey(one.url, newKey());
  const { taskId } = started.json().result as { taskId: string };
  const rule = { pattern: "up__slow", hidden: true, scopes: [], entitlements: [], cost: 1 };
  const upstreams = [httpUpstream(server.url)];
  const keysOf = (tools: string[]) => engines.shared().keys?.map((key) => ({ ...key, tools }));
  for (const [changes, code] of [
    [{ upstreams }, undefined],
    [{ upstreams, tools: [rule] }, -32602],
    [{ upstreams, keys: keysOf(["other__*"]) ?? [] }, -32602],
    [{ upstreams: [httpUpstream(server.url, { name: "renamed" })] }, -32602],
  ] as [Partial<GatewayConfig>, number | undefined][]) {
    const gateway = await startTestGateway(engines.shared(changes));
    const got = await askNewer(gateway.url, "tasks/get", { taskId }, { credential: ACME });
    expect(got.json().error?.code).toBe(code);
  }
});
