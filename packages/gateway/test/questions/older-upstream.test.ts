// Servers of the older era that ask in the middle of a call, and callers that answer late, wrongly, or not at all.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { eventually } from "@recourse/test-kit/eventually";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startAsker } from "../held/asking-server.ts";
import { keyed, OTHER } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime, pass } from "../support/held-time.ts";
import { post } from "../support/post.ts";
import { answerQuestion, callOnStream, openSession, type StreamMessage } from "./raw-caller.ts";

type Changes = Parameters<typeof keyed>[0];

beforeEach(holdTime);

async function world(changes: Changes = {}, upstream: Parameters<typeof httpUpstream>[1] = {}) {
  const server = await startAsker("v1");
  onTestFinished(() => server.close());
  const upstreams = [httpUpstream(server.url, { era: "2025-11-25", ...upstream })];
  const gateway = await startTestGateway(keyed({ upstreams, ...changes }));
  return { server, gateway, session: await openSession(gateway.url) };
}

const textOf = (message: StreamMessage | undefined) =>
  (message?.result?.["content"] as { readonly text: string }[] | undefined)?.[0]?.text;
const faultOf = (message: StreamMessage | undefined) => {
  const found = (message?.result?.["_meta"] ?? message?.error?.data) as Record<string, { reason: string }> | undefined;
  return found?.["recourse/fault"];
};

describe("a caller", () => {
  it("is asked in the middle of its call, and the answer is passed on as it was written", async () => {
    const { server, gateway, session } = await world();
    const call = await callOnStream(gateway.url, session, { tool: "up__ask" });
    const question = await call.next();
    expect(question).toMatchObject({
      method: "elicitation/create",
      params: { message: "up: Question 1?", _meta: { "recourse/upstream": "up" } },
    });
    const member = '"result":{"action":"accept","content":{"city":"Zürich","n":1.50}}';
    expect((await answerQuestion(gateway.url, session, question?.id, member)).status).toBe(202);
    expect(textOf(await call.next())).toBe('{"action":"accept","content":{"city":"Zürich","n":1.5}}');
    expect(await call.next()).toBeUndefined();
    expect(server.answers).toHaveLength(1);
  });

  it("may take its time: neither the deadline of the call nor that of the upstream counts meanwhile", async () => {
    const { gateway, session } = await world({ deadlineMs: 600 }, { timeoutMs: 500 });
    const call = await callOnStream(gateway.url, session, { tool: "up__ask", args: '{"times":2}' });
    for (let at = 0; at < 2; at++) {
      const question = await call.next();
      await pass(700);
      await answerQuestion(gateway.url, session, question?.id);
    }
    expect(textOf(await call.next())).toContain('"city":"Rome"');
  });

  it("has less time for the rest of the call after that", async () => {
    const { server, gateway, session } = await world({ deadlineMs: 500 });
    const call = await callOnStream(gateway.url, session, { tool: "up__slow" });
    const question = await call.next();
    await pass(700);
    await answerQuestion(gateway.url, session, question?.id);
    await eventually(() => expect(server.slow).toHaveLength(1));
    await pass(500);
    expect(faultOf(await call.next())?.reason).toBe("core/timeout");
  });

  it("that does not answer in time is told so, and the server gets an error", async () => {
    const { server, gateway, session } = await world({ questions: { waitMs: 300 } });
    const call = await callOnStream(gateway.url, session, { tool: "up__ask", args: '{"times":2}' });
    const question = await call.next();
    await pass(300);
    expect(await call.next()).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: question?.id, reason: "The time to answer is over." },
    });
    // The second question finds no time left, and is not asked.
    expect(textOf(await call.next())).toContain("did not answer in time");
    expect(server.answers).toHaveLength(2);
    expect((await answerQuestion(gateway.url, session, question?.id)).status).toBe(400);
  });

  it("that leaves ends its call and its question", async () => {
    const { server, gateway, session } = await world();
    const call = await callOnStream(gateway.url, session, { tool: "up__slow" });
    const question = await call.next();
    call.leave();
    await eventually(() => expect(server.answers).toHaveLength(1));
    expect((await answerQuestion(gateway.url, session, question?.id)).status).toBe(400);
    expect(server.answers.join()).not.toContain("Rome");
  });

  it("that leaves a call with a key finds its outcome later", async () => {
    const { server, gateway, session } = await world();
    const pay = () => callOnStream(gateway.url, session, { args: '{"to":"ACME"}', key: "left" });
    const call = await pay();
    await call.next();
    call.leave();
    await eventually(async () => expect(textOf(await (await pay()).next())).toContain("paid ACME: failed"));
    expect(server.paid).toEqual(["ACME"]);
  });

  it.each([undefined, "cancelled"])("cancels its call while it is asked, with the key %s", async (key) => {
    const { server, gateway, session } = await world();
    const call = await callOnStream(gateway.url, session, {
      args: '{"to":"ACME"}',
      id: '"c"',
      ...(key !== undefined && { key }),
    });
    const question = await call.next();
    const notification = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "c" } };
    await post(gateway.url, JSON.stringify(notification), session);
    const last = await call.next();
    // A call with a key goes on, but nobody is asked any more.
    if (key === undefined) expect(faultOf(last)?.reason).toBe("core/cancelled");
    else expect(textOf(last)).toContain("paid ACME: failed");
    expect((await answerQuestion(gateway.url, session, question?.id)).status).toBe(400);
    expect(server.paid).toEqual(["ACME"]);
  });

  it.each([
    ["has declared nothing", {}, {}],
    ["reads no streams", undefined, { accept: "application/json" }],
  ])("that %s is not asked, and the server is told so", async (_, capabilities, headers) => {
    const { gateway } = await world();
    const session = await openSession(gateway.url, capabilities === undefined ? {} : { capabilities });
    const call = await callOnStream(gateway.url, session, { tool: "up__ask", headers });
    expect(textOf(await call.next())).toContain("failed: MCP error -32601");
  });

  it("with an error has answered too", async () => {
    const { gateway, session } = await world();
    const call = await callOnStream(gateway.url, session, { tool: "up__ask" });
    const question = await call.next();
    await answerQuestion(gateway.url, session, question?.id, '"error":{"code":-1,"message":"no window"}');
    expect(textOf(await call.next())).toBe("failed: MCP error -1: no window");
  });

  it("that answers with something else is told so, and the server gets an error", async () => {
    const { gateway, session } = await world();
    const call = await callOnStream(gateway.url, session, { tool: "up__ask" });
    const question = await call.next();
    expect((await answerQuestion(gateway.url, session, question?.id, '"result":"Rome"')).status).toBe(400);
    expect(textOf(await call.next())).toContain("was not valid");
  });
});

it("what a person answers is in no incident, nor is how long that took, also in metrics", async () => {
  const written: string[] = [];
  const server = await startAsker("v1");
  onTestFinished(() => server.close());
  const upstreams = [httpUpstream(server.url, { era: "2025-11-25", foreignText: "hide" })];
  const telemetry = { otlp: undefined, prometheus: true, logLevel: "silent" } as const;
  const gateway = await startTestGateway(keyed({ upstreams, telemetry }), {
    sink: (incident) => void written.push(JSON.stringify(incident)),
  });
  const session = await openSession(gateway.url);
  const call = await callOnStream(gateway.url, session, { tool: "up__fail" });
  const question = await call.next();
  const member = '"result":{"action":"accept","content":{"city":"my-secret-city"}}';
  await pass(60_000);
  await answerQuestion(gateway.url, session, question?.id, member);
  expect(JSON.stringify(await call.next())).not.toContain("my-secret-city");
  await answerQuestion(gateway.url, session, question?.id, member);
  expect(server.answers.join()).toContain("my-secret-city");
  expect(written.join()).not.toContain("my-secret-city");
  expect(written).toHaveLength(1);
  const { durationMs } = JSON.parse(written[0] ?? "{}") as { readonly durationMs: number };
  expect(durationMs).toBeLessThan(900);
  const metrics = await (await fetch(new URL("/metrics", gateway.url))).text();
  const sums = [...metrics.matchAll(/^mcp_server_operation_duration\w*_sum\{[^}]*tools\/call.* (\S+)$/gm)];
  expect(sums.map(([, seconds]) => Number(seconds) < 0.9)).toEqual([true]);
});

describe("a tool that fails for want of an answer", () => {
  it.each([
    ["that does not come", undefined],
    ["that is an error", '"error":{"code":-32603,"message":"Internal error"}'],
    ["that is none", '"result":7'],
  ])("%s is not held back from other callers", async (_, member) => {
    const server = await startStrictAsker();
    const upstreams = [httpUpstream(server.url, { era: "2025-11-25" })];
    const breaker = { failures: 2, pauseMs: 60_000, maxPauseMs: 60_000 };
    const gateway = await startTestGateway(keyed({ upstreams, breaker, questions: { waitMs: 300 } }));
    const session = await openSession(gateway.url);
    for (let calls = 0; calls < 4; calls++) {
      const call = await callOnStream(gateway.url, session, { tool: "up__strict" });
      const question = await call.next();
      if (member === undefined) await pass(300);
      else await answerQuestion(gateway.url, session, question?.id, member);
      let last = await call.next();
      while (last?.method !== undefined) last = await call.next();
      expect(faultOf(last)?.reason).not.toBe("transport/breaker_open");
      expect(faultOf(last)).toBeDefined();
    }
    const other = await openSession(gateway.url, { credential: OTHER });
    const call = await callOnStream(gateway.url, other, { tool: "up__strict" });
    await answerQuestion(gateway.url, other, (await call.next())?.id);
    expect(textOf(await call.next())).toBe("accept");
  });
});

/** A server whose tool fails within the protocol where it gets no answer. */
async function startStrictAsker() {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer(async (incoming, response) => {
    const known = sessions.get(String(incoming.headers["mcp-session-id"]));
    if (known !== undefined) {
      await known.handleRequest(incoming, response);
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (created) => void sessions.set(created, transport),
    });
    const strict = new Server({ name: "strict", version: "1.0.0" }, { capabilities: { tools: {} } });
    strict.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: "strict", inputSchema: { type: "object" } }],
    }));
    strict.setRequestHandler(CallToolRequestSchema, async (_request, { sendRequest }) => {
      const requestedSchema = { type: "object", properties: {} } as const;
      const params = { message: "Sure?", requestedSchema };
      const { action } = await sendRequest({ method: "elicitation/create", params }, ElicitResultSchema);
      return { content: [{ type: "text", text: action }] };
    });
    await strict.connect(transport as never);
    await transport.handleRequest(incoming, response);
  });
  const listening = await listenOnLoopback(server);
  onTestFinished(listening.close);
  return listening;
}
