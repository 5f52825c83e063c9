import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createRawClient, type RawClient } from "../../../test/raw-client.ts";
import { misbehave, type Peer, type PeerOptions } from "../misbehave.ts";

describe("compliant server", () => {
  let peer: Peer | undefined;
  afterEach(() => peer?.close());

  async function connect(options: PeerOptions = {}): Promise<RawClient> {
    peer = await misbehave(options);
    const client = createRawClient(peer);
    await client.initialize();
    return client;
  }

  const ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const call = (name: string, args = {}, more = {}) => ["tools/call", { name, arguments: args, ...more }] as const;

  test("pages lead through the whole list", async () => {
    const client = await connect({ limits: { pageSize: 1 } });
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = (await client.request("resources/list", cursor === undefined ? {} : { cursor })) as {
        result: { resources: { name: string }[]; nextCursor?: string };
      };
      names.push(...result.resources.map(({ name }) => name));
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    expect(names).toEqual(["config", "manual"]);
  });

  test("resources and prompts answer", async () => {
    const client = await connect();
    expect((await client.request("resources/read", { uri: "mcp://manual" }))["result"]).toEqual({
      contents: [{ uri: "mcp://manual", mimeType: "text/plain", text: "Read me." }],
    });
    const prompt = { name: "write_essay", arguments: { topic: "rain" } };
    expect((await client.request("prompts/get", prompt))["result"]).toEqual({
      messages: [{ role: "user", content: { type: "text", text: "Write about rain." } }],
    });
  });

  test("the deadline of a caller is respected", async () => {
    const client = await connect({ dialect: "erlmcp" });
    const meta = { _meta: { "recourse/call": { id: "c", deadlineMs: 20 } } };
    expect((await client.request(...call("sleep", { ms: 3_600_000 }, meta)))["error"]).toEqual({
      code: -32032,
      message: "Tool execution timeout",
      data: { tool: "sleep", timeout_ms: 20 },
    });
  });

  test("requests need an initialized session, and fail after it was deleted", async () => {
    peer = await misbehave({ dialect: "erlmcp" });
    const client = createRawClient(peer);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
    expect((await client.request("initialize", params))["result"]).toMatchObject({ protocolVersion: "2025-06-18" });
    const early = await client.request("tools/list");
    expect(early["error"]).toMatchObject({ code: -32005, data: { phase: "awaiting_initialized" } });
    await client.notify("notifications/initialized");
    expect(await client.request("tools/list")).toHaveProperty("result");
    const headers = { "mcp-session-id": "session-1" };
    expect((await fetch(peer.url, { method: "DELETE", headers })).status).toBe(200);
    expect((await fetch(peer.url, { method: "DELETE", headers })).status).toBe(405);
    expect((await client.request("tools/list"))["error"]).toMatchObject({ code: -32008 });
  });

  test("a request of the modern revision needs no session", async () => {
    peer = await misbehave({ idempotency: true });
    const client = createRawClient(peer);
    expect((await client.request("server/discover", { _meta: ENVELOPE }))["result"]).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { extensions: { "io.github.recourse-mcp/faults": { v: 1, keys: true } } },
    });
    const wrong = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "2099-01-01" };
    expect((await client.request("tools/list", { _meta: wrong }))["error"]).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28"], requested: "2099-01-01" },
    });
    const other = await client.request("tools/list", { _meta: ENVELOPE }, { "mcp-protocol-version": "2025-11-25" });
    expect(other["error"]).toMatchObject({ code: -32020 });
  });

  test.each([
    ["an unknown method", ["nowhere/none", {}], {}, 200, -32601],
    ["an unknown tool", call("nowhere"), {}, 200, -32602],
    ["another version", ["ping", {}], { "mcp-protocol-version": "2025-06-18" }, 400, -32603],
    ["an unknown session", ["ping", {}], { "mcp-session-id": "session-9" }, 404, -32603],
    ["a method that the modern revision removed", ["ping", { _meta: ENVELOPE }], {}, 404, -32601],
    ["another content type", ["ping", {}], { "content-type": "text/plain" }, 415, -32602],
  ] as const)("in the dialect mcp, the status and code of %s", async (_, [method, params], headers, status, code) => {
    await connect();
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
});

describe("error reply", () => {
  let peer: Peer;
  let client: RawClient;
  beforeEach(async () => {
    peer = await misbehave({ dialect: "erlmcp" });
    client = createRawClient(peer);
    await client.initialize();
  });
  afterEach(() => peer.close());

  const call = (name: string, args: object) => ["tools/call", { name, arguments: args }] as const;

  test.each([
    [
      "a cursor that is not a string",
      ["tools/list", { cursor: 12 }],
      -32602,
      { details: "Wrong type of parameter: cursor" },
    ],
    [
      "an argument of the wrong type",
      call("echo", { text: 1 }),
      -32034,
      { tool: "echo", details: "Wrong type of parameter: text" },
    ],
    ["a tool call without a name", ["tools/call", {}], -32602, { details: "Missing required parameter: name" }],
    ["a cursor of another list", ["prompts/list", { cursor: "page-1" }], -32071, { cursor: "page-1" }],
    ["a resource with the name of an inherited member", ["resources/read", { uri: "constructor:" }], -32001, undefined],
  ] as const)("%s", async (_, [method, params], code, data) => {
    expect((await client.request(method, params))["error"]).toMatchObject({
      code,
      ...(data !== undefined && { data }),
    });
  });

  test("the list of prompts shows which arguments they take", async () => {
    expect((await client.request("prompts/list"))["result"]).toMatchObject({
      prompts: [{ name: "write_essay", arguments: [{ name: "topic", required: true }] }],
    });
  });
});
