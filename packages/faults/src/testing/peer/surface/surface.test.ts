import { afterEach, expect, test } from "vitest";
import { createProbe, type Probe } from "../causes/probe.ts";
import { misbehave, type Peer, type PeerOptions } from "../misbehave.ts";

let peer: Peer | undefined;
afterEach(() => peer?.close());

async function begin(options: PeerOptions = {}, capabilities = {}): Promise<Probe> {
  peer = await misbehave(options);
  const probe = createProbe(peer);
  await probe.hello({ capabilities });
  return probe;
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const call = (name: string, args = {}, more = {}) => ["tools/call", { name, arguments: args, ...more }] as const;

test("pages lead through the whole list", async () => {
  const probe = await begin({ limits: { pageSize: 4 } });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { result } = (await probe.ask("resources/list", cursor === undefined ? {} : { cursor })) as {
      result: { resources: { name: string }[]; nextCursor?: string };
    };
    names.push(...result.resources.map(({ name }) => name));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(["config", "manual", "vault", "broken", "slow", "remote"]);
});

test("resources, templates, prompts and completions answer", async () => {
  const probe = await begin();
  expect((await probe.ask("resources/read", { uri: "mcp://manual" }))["result"]).toEqual({
    contents: [{ uri: "mcp://manual", mimeType: "text/plain", text: "Read me." }],
  });
  const values = { uriTemplate: "logs://{date}", arguments: { date: "today" } };
  expect((await probe.ask("resources/templates/render", values))["result"]).toEqual({
    contents: [{ uri: "logs://today", mimeType: "text/plain", text: "Logs of today." }],
  });
  const prompt = { name: "write_essay", arguments: { topic: "rain" } };
  expect((await probe.ask("prompts/get", prompt))["result"]).toEqual({
    messages: [{ role: "user", content: { type: "text", text: "Write about rain." } }],
  });
  const wanted = { ref: { type: "ref/prompt", name: "write_essay" }, argument: { name: "topic", value: "r" } };
  expect((await probe.ask("completion/complete", wanted))["result"]).toEqual({
    completion: { values: ["rain", "rivers", "roads"] },
  });
});

test("a permission opens what is closed to others", async () => {
  const probe = await begin();
  const admin = { authorization: "Bearer admin" };
  expect(await probe.ask("resources/read", { uri: "mcp://vault" }, admin)).toHaveProperty("result");
  expect(await probe.ask("tools/list", {}, { authorization: `Basic ${btoa("user:correct-horse")}` })).toHaveProperty(
    "result",
  );
  expect(await probe.ask("tools/list", {}, { authorization: "Bearer expiring" })).toHaveProperty("result");
});

test("a tool that is registered can be called", async () => {
  const probe = await begin();
  await probe.ask("tools/register", { name: "greet", description: "Good morning." });
  expect((await probe.ask(...call("greet")))["result"]).toEqual({ content: [{ type: "text", text: "Good morning." }] });
});

test("a task ends with the result of its tool", async () => {
  const probe = await begin();
  const begun = await probe.ask(...call("echo", { text: "later" }, { task: {} }));
  expect(begun["result"]).toMatchObject({ task: { taskId: "task-1", status: "working" } });
  expect((await probe.ask("tasks/result", { taskId: "task-1" }))["result"]).toEqual({
    content: [{ type: "text", text: "later" }],
  });
  expect((await probe.ask("tasks/get", { taskId: "task-1" }))["result"]).toMatchObject({ status: "completed" });
  expect((await probe.ask("tasks/list"))["result"]).toMatchObject({ tasks: [{ taskId: "task-1" }] });
});

test("the client's model and user are asked, where there are any", async () => {
  const probe = await begin({}, { sampling: {}, elicitation: {} });
  probe.listen(({ method }) => ({
    result:
      method === "sampling/createMessage"
        ? { role: "assistant", model: "m", content: { type: "text", text: "Short." } }
        : { action: "accept", content: { yes: true } },
  }));
  const said = async (name: string, args: object) => (await probe.ask(...call(name, args)))["result"];
  expect(await said("summarise", { text: "Long." })).toEqual({ content: [{ type: "text", text: "Short." }] });
  expect(await said("confirm", { question: "Sure?" })).toEqual({ content: [{ type: "text", text: "Confirmed." }] });
  probe.listen(() => ({ result: { action: "decline" } }));
  expect(await said("confirm", { question: "Sure?" })).toMatchObject({
    _meta: { "recourse/fault": { reason: "elicitation/declined" } },
  });
});

test("a client that cannot be asked is told so", async () => {
  const probe = await begin({ dialect: "erlmcp" });
  expect((await probe.ask(...call("confirm", { question: "Sure?" })))["error"]).toMatchObject({ code: -32601 });
});

test("a subscriber with a stream hears of a change", async () => {
  const probe = await begin();
  await probe.ask("resources/subscribe", { uri: "mcp://config" });
  const stop = new AbortController();
  const headers = { accept: "text/event-stream", "mcp-session-id": "session-1" };
  const stream = await fetch((peer as Peer).url, { headers, signal: stop.signal });
  expect((await probe.ask("resources/touch", { uri: "mcp://config" }))["result"]).toEqual({});
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(
    'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"mcp://config"}}\n\n',
  );
  stop.abort();
  await expect(reader?.read()).rejects.toThrow();
});

test("a caller's own deadline is kept", async () => {
  const probe = await begin({ dialect: "erlmcp" });
  const meta = { _meta: { "recourse/call": { id: "c", deadlineMs: 20 } } };
  expect((await probe.ask(...call("sleep", { ms: 3_600_000 }, meta)))["error"]).toEqual({
    code: -32032,
    message: "Tool execution timeout",
    data: { tool: "sleep", timeout_ms: 20 },
  });
});

test("the window of a rate ends", async () => {
  const probe = await begin({ limits: { rate: { limit: 2, windowMs: 60_000 } } });
  expect(await probe.ask("ping")).toHaveProperty("result");
  expect(await probe.ask("ping")).toHaveProperty("error");
  probe.pass(60_000);
  expect(await probe.ask("ping")).toHaveProperty("result");
});

test("a session has to be complete before anything is asked, and ends for good", async () => {
  peer = await misbehave({ dialect: "erlmcp" });
  const probe = createProbe(peer);
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
  expect((await probe.ask("initialize", hello))["result"]).toMatchObject({ protocolVersion: "2025-06-18" });
  const early = await probe.ask("tools/list");
  expect(early["error"]).toMatchObject({ code: -32005, data: { phase: "awaiting_initialized" } });
  await probe.tell("notifications/initialized");
  expect(await probe.ask("tools/list")).toHaveProperty("result");
  const headers = { "mcp-session-id": "session-1" };
  expect((await fetch(peer.url, { method: "DELETE", headers })).status).toBe(200);
  expect((await fetch(peer.url, { method: "DELETE", headers })).status).toBe(405);
  expect((await probe.ask("tools/list"))["error"]).toMatchObject({ code: -32008 });
});

test("a request of the modern revision stands alone", async () => {
  peer = await misbehave({ keys: true });
  const probe = createProbe(peer);
  expect((await probe.ask("server/discover", { _meta: ENVELOPE }))["result"]).toMatchObject({
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { extensions: { "recourse/faults": { v: 1, keys: true } } },
  });
  const wrong = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
  expect((await probe.ask("tools/list", { _meta: wrong }))["error"]).toMatchObject({
    code: -32022,
    data: { supported: ["2026-07-28"], requested: "2099-01-01" },
  });
  const other = await probe.ask("tools/list", { _meta: ENVELOPE }, { "mcp-protocol-version": "2025-11-25" });
  expect(other["error"]).toMatchObject({ code: -32020 });
});

test.each([
  ["an unknown method", ["nowhere/none", {}], {}, 200, -32601],
  ["an unknown tool", call("nowhere"), {}, 200, -32602],
  ["an unknown token", ["ping", {}], { authorization: "Bearer no" }, 401, -32603],
  ["another version", ["ping", {}], { "mcp-protocol-version": "2025-06-18" }, 400, -32603],
  ["an unknown session", ["ping", {}], { "mcp-session-id": "session-9" }, 404, -32603],
  ["a method that the modern revision gave up", ["ping", { _meta: ENVELOPE }], {}, 404, -32601],
  ["another content type", ["ping", {}], { "content-type": "text/plain" }, 415, -32602],
] as const)("in the dialect of the protocol, %s", async (_, [method, params], headers, status, code) => {
  await begin();
  const response = await fetch((peer as Peer).url, {
    method: "POST",
    headers: { "content-type": "application/json", "mcp-session-id": "session-1", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  expect([response.status, ((await response.json()) as { error: { code: number } }).error.code]).toEqual([
    status,
    code,
  ]);
});
