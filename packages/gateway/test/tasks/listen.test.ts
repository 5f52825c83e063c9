// Changes of tasks on a stream, in the newer era.
import { createServer, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { request } from "undici";
import { expect, it, onTestFinished } from "vitest";
import type { GatewayIncident } from "../../src/incidents/incidents.ts";
import { ACME, keyed, OTHER } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, modernHeaders } from "../support/post.ts";
import { askNewer, DISCOVERED, KNOWS_TASKS, LISTED, SEED } from "./support/task-servers.ts";

/** A server whose tasks are told of on streams that stay open. */
async function startTellingServer() {
  const streams: { readonly response: ServerResponse; readonly params: Record<string, unknown> }[] = [];
  let started = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
    if (method === "subscriptions/listen") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const _meta = { "io.modelcontextprotocol/subscriptionId": id };
      const { notifications } = params;
      send(response, "notifications/subscriptions/acknowledged", { notifications, _meta });
      streams.push({ response, params });
      return;
    }
    started += method === "tools/call" ? 1 : 0;
    const task = { resultType: "task", taskId: `up-${started}`, status: "working", ...SEED };
    const result = { "server/discover": DISCOVERED, "tools/list": LISTED }[method as string] ?? task;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  const listening = await listenOnLoopback(server);
  onTestFinished(() => listening.close());
  const tell = (params: object) => {
    for (const { response } of streams) {
      const _meta = { "io.modelcontextprotocol/subscriptionId": "theirs" };
      send(response, "notifications/tasks", { ...SEED, ...params, _meta });
    }
  };
  return { ...listening, streams, tell };
}

function send(response: ServerResponse, method: string, params: object): void {
  response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`);
}

interface Told {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Listens for tasks, and collects what comes. */
async function listen(url: URL, taskIds: readonly string[], credential: string) {
  const told: Told[] = [];
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const body = {
    jsonrpc: "2.0",
    id: 7,
    method: "subscriptions/listen",
    params: { notifications: { taskIds }, _meta: KNOWS_TASKS },
  };
  const headers = { ...modernHeaders("subscriptions/listen"), authorization: `Bearer ${credential}` };
  const answer = await request(url, { method: "POST", headers, body: JSON.stringify(body), signal: abort.signal });
  const read = async () => {
    let text = "";
    for await (const chunk of answer.body) {
      text += String(chunk);
      const events = text.split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) told.push(JSON.parse(data) as Told);
      }
    }
  };
  void read().catch(() => {});
  return told;
}

it("tells a caller of its own tasks by its own names, and of their failures as faults, once an incident", async () => {
  const server = await startTellingServer();
  const sent: GatewayIncident[] = [];
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url)] }), {
    sink: (incident) => void sent.push(incident as GatewayIncident),
  });
  const start = async (credential: string) => {
    const answer = await askNewer(gateway.url, "tools/call", { name: "up__slow", arguments: {} }, { credential });
    return (answer.json().result as { taskId: string }).taskId;
  };
  const mine = await start(ACME);
  const theirs = await start(OTHER);
  const told = await listen(gateway.url, [mine, theirs, "up-1", "t1.x.y"], ACME);
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { taskIds: [mine] }, _meta: { "io.modelcontextprotocol/subscriptionId": 7 } },
  });
  expect(server.streams[0]?.params).toMatchObject({
    notifications: { taskIds: ["up-1"] },
    _meta: { "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } } },
  });
  server.tell({ taskId: "up-2", status: "working" });
  server.tell({ taskId: "up-1", status: "working" });
  await expect.poll(() => told).toHaveLength(2);
  expect(told[1]).toEqual({
    jsonrpc: "2.0",
    method: "notifications/tasks",
    params: { ...SEED, taskId: mine, status: "working", _meta: { "io.modelcontextprotocol/subscriptionId": 7 } },
  });
  // Of states that come close together the last one counts.
  for (let count = 0; count < 50; count++)
    server.tell({ taskId: "up-1", status: "working", statusMessage: `${count}` });
  const error = { code: -32603, message: "TypeError at /srv/app/secret.js" };
  server.tell({ taskId: "up-1", status: "failed", error });
  await expect.poll(() => told.at(-1)?.params["status"]).toBe("failed");
  expect(told.length).toBeLessThan(6);
  expect(told.at(-1)?.params).toMatchObject({
    taskId: mine,
    error: { data: { "recourse/fault": { kind: "internal", incident: expect.any(String) } } },
  });
  expect(JSON.stringify(told)).not.toContain("secret.js");
  server.tell({ taskId: "up-1", status: "failed", error });
  await expect.poll(() => told.filter(({ params }) => params["status"] === "failed")).toHaveLength(2);
  expect(sent).toHaveLength(1);
});

it("whoever did not declare tasks cannot listen for them", async () => {
  const server = await startTellingServer();
  const gateway = await startTestGateway(keyed({ upstreams: [httpUpstream(server.url)] }));
  const meta = JSON.parse(`{${MODERN_META}}`) as object;
  const params = { notifications: { taskIds: ["x"] } };
  const answer = await askNewer(gateway.url, "subscriptions/listen", params, { credential: ACME, meta });
  expect(answer.json().error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
  });
  const wrong = await askNewer(
    gateway.url,
    "subscriptions/listen",
    { notifications: { taskIds: [1] } },
    { credential: ACME },
  );
  expect(wrong.json().error?.code).toBe(-32602);
});
