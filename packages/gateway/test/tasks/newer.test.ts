import { describe, expect, it } from "vitest";
import type { GatewayConfig } from "../../src/config/types.ts";
import type { GatewayOptions } from "../../src/gateway.ts";
import type { GatewayIncident } from "../../src/incidents/incidents.ts";
import { ACME, keyed, OTHER } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, type RawAnswer } from "../support/post.ts";
import { askNewer, SEED, startNewerTaskServer } from "./support/task-servers.ts";

type Answer = Parameters<typeof startNewerTaskServer>[0];

const CREATED = { resultType: "task", taskId: "up-1", status: "working", ...SEED };

/** A gateway before a server whose task is answered for by `answer`. */
async function world(answer: Answer, changes: Partial<GatewayConfig> = {}, options: GatewayOptions = {}) {
  const server = await startNewerTaskServer((request) =>
    request.method === "tools/call" ? { result: CREATED } : answer(request),
  );
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url)], ...changes }), options);
  const ask = (method: string, params: Readonly<Record<string, unknown>>, credential = ACME) =>
    askNewer(gateway.url, method, params, { credential });
  const start = async () => taskIn(await ask("tools/call", { name: "up__slow", arguments: {} })).taskId;
  return { server, gateway, ask, start };
}

interface TaskResult {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly resultType: string;
  readonly result?: Record<string, unknown> & { readonly _meta?: Record<string, unknown> };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Record<string, unknown> };
}

function taskIn(answer: RawAnswer): TaskResult {
  const { result } = answer.json() as { result?: TaskResult };
  if (result === undefined) throw new Error(answer.text);
  return result;
}

const got = (more: object): { readonly result: unknown } => ({
  result: { resultType: "complete", taskId: "up-1", ...SEED, ...more },
});

it("the extension is announced, and a task is started, asked for, answered and cancelled by its own names", async () => {
  const { server, ask, start } = await world(({ method }) =>
    method === "tasks/get" ? got({ status: "working" }) : { result: { resultType: "complete" } },
  );
  const discovered = (await ask("server/discover", {})).json().result as { capabilities: { extensions: object } };
  expect(discovered.capabilities.extensions).toHaveProperty(["io.modelcontextprotocol/tasks"], {});
  const taskId = await start();
  expect(taskId).toMatch(/^t1\.[\w-]+\.[\w-]{43}$/);
  expect(taskIn(await ask("tasks/get", { taskId }))).toMatchObject({ taskId, status: "working" });
  const inputResponses = { name: { action: "accept", content: { input: "Luca" } } };
  expect((await ask("tasks/update", { taskId, inputResponses, task: {}, more: 1 })).json().result).toEqual({
    resultType: "complete",
  });
  expect((await ask("tasks/cancel", { taskId })).json().result).toEqual({ resultType: "complete" });
  expect(server.received.map(({ method, headers, params }) => [method, headers["mcp-name"], params["taskId"]])).toEqual(
    [
      ["tools/call", "slow", undefined],
      ["tasks/get", "up-1", "up-1"],
      ["tasks/update", "up-1", "up-1"],
      ["tasks/cancel", "up-1", "up-1"],
    ],
  );
  expect(server.received[2]?.params["inputResponses"]).toEqual(inputResponses);
  expect(Object.keys(server.received[2]?.params ?? {}).sort()).toEqual(["_meta", "inputResponses", "taskId"]);
});

it("strangers, forged ids and headers that differ are refused", async () => {
  const { server, ask, start, gateway } = await world(() => got({ status: "working" }));
  const taskId = await start();
  for (const [id, credential] of [
    [taskId, OTHER],
    [`${taskId}A`, ACME],
    ["up-1", ACME],
  ] as const) {
    const { error } = (await ask("tasks/get", { taskId: id }, credential)).json();
    expect(error).toMatchObject({ code: -32602, message: "No such task." });
  }
  const undeclared = await askNewer(
    gateway.url,
    "tasks/get",
    { taskId },
    {
      credential: ACME,
      meta: JSON.parse(`{${MODERN_META}}`) as object,
    },
  );
  expect(undeclared.status).toBe(400);
  expect(undeclared.json().error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
  });
  expect((await ask("tasks/result", { taskId })).json().error?.code).toBe(-32601);
  expect(server.received).toHaveLength(1);
});

it("an upstream that starts a task for a caller that does not know tasks has failed", async () => {
  const { gateway } = await world(() => got({}));
  const meta = JSON.parse(`{${MODERN_META}}`) as object;
  const answer = await askNewer(
    gateway.url,
    "tools/call",
    { name: "up__slow", arguments: {} },
    { credential: ACME, meta },
  );
  expect(answer.json().result).toMatchObject({
    isError: true,
    _meta: { "recourse/fault": { reason: "protocol/invalid_result", effect: "possible" } },
  });
});

it("an id that is too long is no id", async () => {
  const server = await startNewerTaskServer(() => ({ result: { ...CREATED, taskId: "x".repeat(1_025) } }));
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url)] }));
  const answer = await askNewer(gateway.url, "tools/call", { name: "up__slow" }, { credential: ACME });
  expect(answer.json().result).toMatchObject({
    isError: true,
    _meta: { "recourse/fault": { reason: "protocol/invalid_result", effect: "possible" } },
  });
});

it("bytes of a task that are not its id pass as they came", async () => {
  const task = (id: string) =>
    `{"resultType":"complete","ttlMs":12345678901234567890,  "taskId" : ${id},"x":1e400,"status":"completed","result":{"content":[{"type":"text","text":"a\\u0041"}]}}`;
  const { ask, start } = await world(() => ({ text: task('"up\\u002d1"') }));
  const taskId = await start();
  const { text } = await ask("tasks/get", { taskId });
  expect(text).toBe(`{"jsonrpc":"2.0","id":1,"result":${task(JSON.stringify(taskId))}}`);
});

describe("a task that failed", () => {
  const failure = (task: TaskResult) => task.result?._meta?.["recourse/fault"] as { kind: string; incident?: string };

  it("with a JSON-RPC error has failed with the fault, and is an incident once", async () => {
    const error = { code: -32603, message: "TypeError: x at /srv/app/secret.js:1:2" };
    const sent: GatewayIncident[] = [];
    const { ask, start } = await world(
      () => got({ status: "failed", statusMessage: "boom at /srv/app/secret.js", error }),
      {},
      { sink: (incident) => void sent.push(incident as GatewayIncident) },
    );
    const taskId = await start();
    const first = taskIn(await ask("tasks/get", { taskId }));
    expect(first).toMatchObject({ taskId, status: "failed", error: { code: -32603 } });
    expect(first.result).toBeUndefined();
    expect(JSON.stringify(first)).not.toContain("secret.js");
    expect(first.statusMessage).toBe(first.error?.message);
    const fault = first.error?.data?.["recourse/fault"] as { incident?: string };
    expect(fault).toMatchObject({ kind: "internal", origin: { layer: "upstream", name: "up" } });
    expect(fault.incident).toEqual(expect.any(String));
    expect(taskIn(await ask("tasks/get", { taskId }))).toEqual(first);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ tool: "up__slow", upstream: "up", tenant: "acme", method: "tasks/get" });
  });

  it.each([
    ["is marked", { isError: true, content: [{ type: "text", text: "Rate limit exceeded. Retry after 7 seconds." }] }],
    [
      "is marked with another value",
      { isError: 1, content: [{ type: "text", text: "Rate limit exceeded, retry after 7 seconds" }] },
    ],
    [
      "is not marked",
      { content: [{ type: "text", text: '{"success":false,"error":"Rate limit exceeded. Retry after 7 seconds."}' }] },
    ],
  ])("with a result that %s is completed with the fault", async (_, result) => {
    const { ask, start } = await world(() => got({ status: "completed", result }));
    const task = taskIn(await ask("tasks/get", { taskId: await start() }));
    expect(task).toMatchObject({ status: "completed", result: { isError: true } });
    expect(failure(task).kind).toBe("rate_limited");
  });

  it("with an error that every call would end with has failed with that error", async () => {
    const error = { code: -32021, message: "no", data: { requiredCapabilities: { sampling: {} } } };
    const { ask, start } = await world(() => got({ status: "completed", result: {}, error }));
    const task = taskIn(await ask("tasks/get", { taskId: await start() }));
    expect(task).toMatchObject({
      status: "failed",
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    });
    expect(task.result).toBeUndefined();
  });

  it("does not stop the calls of others", async () => {
    const error = { code: -32603, message: "boom" };
    const breaker = { failures: 1, pauseMs: 60_000, maxPauseMs: 60_000 };
    const { ask, start } = await world(() => got({ status: "failed", error }), { breaker });
    const taskId = await start();
    for (let times = 0; times < 3; times++) expect(taskIn(await ask("tasks/get", { taskId })).status).toBe("failed");
  });
});

it("an upstream that knows the task no longer says so", async () => {
  const { ask, start } = await world(() => ({
    error: { code: -32602, message: "Failed to retrieve task: Task not found" },
  }));
  const { error } = (await ask("tasks/get", { taskId: await start() })).json();
  expect(error).toMatchObject({
    code: -32602,
    message: "No such task.",
    data: { "recourse/fault": { reason: "task/not_found", effect: "none", origin: { layer: "upstream", name: "up" } } },
  });
});
