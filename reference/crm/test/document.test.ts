// What Platica's document says, on the running server: as plain HTTP and the official clients see it.
import { mkdir, rm } from "node:fs/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/faults/client";
import { detect } from "@recourse/faults/dialects";
import { stderrSink } from "@recourse/faults/server";
import { afterAll, describe, expect, test, vi } from "vitest";
import { type Message, OBSERVERS, observe } from "./support/observers.ts";
import { createTestEnvironment, KEYS } from "./support/test-environment.ts";
import { bearer, restRequest } from "./support/tool-call.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

const north = bearer(KEYS.north);
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Posts a body to the MCP server, whatever it is. */
async function post(body: unknown, headers: Readonly<Record<string, string>> = { authorization: north }) {
  const response = await fetch(`${environment.mcp}/mcp`, {
    method: "POST",
    headers: { ...HEADERS, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  // The answer is an event if the client accepts streams.
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, message: JSON.parse(json) as Message & { readonly id?: unknown } };
}

const request = (method: string, params?: unknown) => ({ jsonrpc: "2.0", id: 7, method, params });
const callOf = (name: unknown, args?: unknown) => request("tools/call", { name, arguments: args });

describe("two classes of errors", () => {
  test("a call that the API refuses is a result with isError, its body as text and parsed", async () => {
    const { status, message } = await post(callOf("getClient", { id: "99" }));
    const { id, result, error } = message;
    expect({ status, id, error }).toEqual({ status: 200, id: 7, error: undefined });
    expect(result?.isError).toBe(true);
    const [block, ...others] = result?.content ?? [];
    expect(others).toEqual([]);
    expect(JSON.parse(block?.text ?? "")).toEqual({
      code: 404,
      error: "Client not found",
      details: expect.any(String),
    });
    expect(result?.structuredContent).toEqual(JSON.parse(block?.text ?? ""));
  });

  test("a request that cannot be served is a JSON-RPC error with code and message", async () => {
    const { message } = await post(callOf(7));
    expect(message).toMatchObject({ jsonrpc: "2.0", id: 7, error: { code: -32602, message: expect.any(String) } });
    expect(message.result).toBeUndefined();
  });

  test("the model of an official client reads the refusal and can call again", async () => {
    const client = new Client({ name: "agent", version: "1.0.0" });
    const requestInit = { headers: { authorization: north } };
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", environment.mcp), { requestInit }));
    const first = await client.callTool({ name: "getClient", arguments: { id: "99" } });
    expect(first).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Client not found") }] });
    const second = await client.callTool({ name: "getClient", arguments: { id: "1" } });
    expect(second.isError).toBeUndefined();
    await client.close();
  });
});

interface Remedy {
  readonly status: number;
  readonly cause: string;
  readonly tool: string;
  /** The call that fails, and what is changed in it as the document says. */
  readonly wrong: { readonly key: keyof typeof KEYS; readonly args: Readonly<Record<string, unknown>> };
  readonly right: { readonly key?: keyof typeof KEYS; readonly args?: Readonly<Record<string, unknown>> };
  /** What the body says about it. */
  readonly body: Readonly<Record<string, unknown>>;
}

const CAMPAIGN = { name: "Autumn", agent_id: "1", starts_on: "2027-09-30", ends_on: "2027-09-01" };
const REMEDIES: readonly Remedy[] = [
  {
    status: 400,
    cause: "correcting the field that errors[] flags",
    tool: "createCampaign",
    wrong: { key: "north", args: CAMPAIGN },
    right: { args: { ...CAMPAIGN, ends_on: "2027-10-31" } },
    body: { error: "Invalid arguments", errors: [{ path: ["ends_on"], message: expect.any(String), code: "custom" }] },
  },
  {
    status: 400,
    cause: "passing a workspace with a key for several",
    tool: "getClient",
    wrong: { key: "both", args: { id: "1" } },
    right: { args: { id: "1", workspace: "ws_north" } },
    body: { error: "Must specify a valid workspace" },
  },
  {
    status: 401,
    cause: "using a key that is not disabled",
    tool: "getClient",
    wrong: { key: "revoked", args: { id: "1" } },
    right: { key: "north" },
    body: { error: "Valid credentials are required." },
  },
  {
    status: 403,
    cause: "using a key with the right scope",
    tool: "createClient",
    wrong: { key: "reader", args: { name: "Ida", email: "ida@example.com", stage: "lead" } },
    right: { key: "north" },
    body: { error: "This key may only read" },
  },
  {
    status: 403,
    cause: "using a workspace that the key reaches",
    tool: "getClient",
    wrong: { key: "north", args: { id: "1", workspace: "ws_south" } },
    right: { args: { id: "1", workspace: "ws_north" } },
    body: { error: "This key has no access to the workspace" },
  },
  {
    status: 404,
    cause: "confirming the id",
    tool: "getAgent",
    wrong: { key: "north", args: { id: "99" } },
    right: { args: { id: "1" } },
    body: { error: "Agent not found" },
  },
  {
    status: 404,
    cause: "passing the workspace that has it",
    tool: "getClient",
    wrong: { key: "both", args: { id: "3", workspace: "ws_north" } },
    right: { args: { id: "3", workspace: "ws_south" } },
    body: { error: "Client not found" },
  },
  {
    status: 422,
    cause: "reading that its agent has no workspace, and taking another campaign",
    tool: "launchCampaign",
    wrong: { key: "north", args: { id: "2" } },
    right: { args: { id: "1" } },
    body: { error: "The agent of the campaign has no workspace", details: expect.any(String) },
  },
];

describe("the remedies of the catalog help", () => {
  test.each(REMEDIES)("$status: $cause", async ({ status, tool, wrong, right, body }) => {
    const failed = await observe("v2 legacy", environment.mcp, {
      tool,
      args: wrong.args,
      authorization: bearer(KEYS[wrong.key]),
    });
    expect(failed.message.result).toMatchObject({ isError: true, structuredContent: { code: status, ...body } });
    const authorization = bearer(KEYS[right.key ?? wrong.key]);
    const helped = await observe("v2 legacy", environment.mcp, { tool, args: right.args ?? wrong.args, authorization });
    expect(helped.message.result?.isError, JSON.stringify(helped.message)).toBeUndefined();
  });
});

/** Messages that are no JSON-RPC request, or whose params have the wrong form. */
const MALFORMED: Readonly<Record<string, unknown>> = {
  "broken JSON": '{"jsonrpc":"2.0","id":7,',
  "an empty body": "",
  "no method": { jsonrpc: "2.0", id: 7, params: {} },
  "no method and no id": { jsonrpc: "2.0" },
  "a method that is no text": { jsonrpc: "2.0", id: 7, method: 7 },
  "another version of JSON-RPC": { jsonrpc: "1.0", id: 7, method: "tools/call", params: { name: "listAgents" } },
  "no version of JSON-RPC": { id: 7, method: "tools/call", params: { name: "listAgents" } },
  "an id that is an object": { jsonrpc: "2.0", id: {}, method: "tools/call", params: { name: "listAgents" } },
  "params that are a list": request("tools/call", [1]),
  "params that are a text": request("tools/call", "listAgents"),
  "no params": request("tools/call"),
  "a tool without a name": request("tools/call", { arguments: {} }),
  "a name that is no text": callOf(7),
  "arguments that are a list": callOf("listAgents", [1]),
  "arguments that are a text": callOf("listAgents", "all"),
  "an empty batch": [],
  "a text": '"hello"',
  "a number": "7",
  null: "null",
};

describe("-32602 for a malformed JSON-RPC call", () => {
  test.each(Object.entries(MALFORMED))("%s", async (_, body) => {
    const { message } = await post(body);
    expect(message.error).toMatchObject({ code: -32602, message: expect.any(String) });
    expect(message.result).toBeUndefined();
  });
});

describe("-32001 for the header", () => {
  const BAD = {
    missing: undefined,
    "of another scheme": "Basic cGw6a2V5",
    "without a key": "Bearer abc",
    bare: KEYS.north,
  };
  test.each(Object.entries(BAD))("that is %s", async (_, authorization) => {
    const { status, message } = await post(callOf("listAgents"), authorization === undefined ? {} : { authorization });
    expect(status).toBe(401);
    expect(message.error).toEqual({
      code: -32001,
      message: "Unauthorized: missing or invalid Authorization header.",
    });
    // A client that does not know whose server this is recognises it.
    expect(detect(message)).toMatchObject({ dialect: "platica", fault: { reason: "auth/header_invalid" } });
  });
});

test.each(["GET", "DELETE"])("-32000 for %s, since the server only accepts POST", async (method) => {
  const response = await fetch(`${environment.mcp}/mcp`, { method, headers: { authorization: north } });
  const message = await response.json();
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
  expect(message).toMatchObject({ error: { code: -32000, message: "This address accepts only POST." } });
  expect(detect(message)).toMatchObject({ dialect: "platica", fault: { reason: "protocol/http_method" } });
});

describe("what Platica's document does not cover has MCP's own form", () => {
  test("an unknown method", async () => {
    const { message } = await post(request("clients/list"));
    expect(message.error).toMatchObject({ code: -32601, data: { "recourse/fault": expect.any(Object) } });
  });

  test("an unknown tool is an error of the protocol, since no tool ran", async () => {
    const { message } = await post(callOf("dropClients", {}));
    expect(message.error).toMatchObject({ code: -32602, message: expect.stringContaining("dropClients") });
  });

  test("a version that the server does not know stays negotiable", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2099-01-01",
      "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { authorization: north, "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" };
    const { message } = await post(request("tools/list", { _meta: meta }), headers);
    expect(message.error).toMatchObject({
      code: -32022,
      data: { requested: "2099-01-01", supported: expect.any(Array) },
    });
  });
});

test("the pattern of a day is in the schema that the tool publishes", async () => {
  const { message } = await post(request("tools/list", {}));
  const { tools } = message.result as unknown as { tools: { name: string; inputSchema: { properties: object } }[] };
  const { properties } = tools.find(({ name }) => name === "createCampaign")?.inputSchema ?? {};
  const { allOf, format } =
    (properties as Record<string, { allOf: { pattern: string }[]; format: string }>)["starts_on"] ?? {};
  expect(format).toBe("date");
  expect(allOf).toHaveLength(2);
  const fits = (day: string) => allOf?.every(({ pattern }) => new RegExp(pattern).test(day));
  expect(["2028-02-29", "2026-02-29", "2026-13-01", "3026-01-01"].map(fits)).toEqual([true, false, false, false]);
});

describe("arguments that the schema of a tool refuses", () => {
  const toolCall = { tool: "createClient", args: { name: "", stage: "friend", extra: 1 }, authorization: north };

  test.each(OBSERVERS)("are an execution error with lines and Zod issues: %s", async (observer) => {
    const { message } = await observe(observer, environment.mcp, toolCall);
    const { isError, content, structuredContent } = message.result ?? {};
    expect(isError).toBe(true);
    const issues = structuredContent?.["issues"] as readonly {
      path: string[];
      message: string;
      code: string;
      keys?: string[];
    }[];
    expect(issues).toMatchObject([
      { path: ["name"], message: expect.any(String), code: "too_small" },
      { path: ["email"], message: expect.any(String), code: "invalid_type" },
      { path: ["stage"], message: expect.any(String), code: "invalid_value" },
      // Zod reports unknown names where they stand, which is the whole object here.
      { path: [], message: expect.any(String), code: "unrecognized_keys", keys: ["extra"] },
    ]);
    const lines = issues.map(({ path, keys = [], message: text }) => `${[...path, ...keys].join(".")}: ${text}`);
    expect(content?.[0]?.text.split("\n")).toEqual(lines);
  });

  test("say enough to correct the call in the same turn", async () => {
    const { message } = await observe("v2 modern", environment.mcp, toolCall);
    const issues = message.result?.structuredContent?.["issues"] as readonly { path: string[]; expected?: string }[];
    expect(issues.map(({ expected }) => expected)).toEqual([
      "1 to 100 characters",
      "an email address",
      "one of lead, customer, former",
      "only workspace, name, email, stage",
    ]);
    const args = { name: "Ada", email: "ada.document@example.com", stage: "lead" };
    const corrected = await observe("v2 modern", environment.mcp, { ...toolCall, args });
    expect(corrected.message.result?.isError).toBeUndefined();
  });

  test.each([
    ["listClients", { limit: 0 }, "limit", "too_small"],
    ["listClients", { limit: 101 }, "limit", "too_big"],
    ["listClients", { stage: "friend" }, "stage", "invalid_value"],
    [
      "createCampaign",
      { name: "A", agent_id: "1", starts_on: "2026-02-30", ends_on: "2026-03-01" },
      "starts_on",
      "invalid_format",
    ],
    [
      "createCampaign",
      { name: "A", agent_id: "1", starts_on: "2026-02-01", ends_on: "3026-03-01" },
      "ends_on",
      "invalid_format",
    ],
  ])("%s %j has the code that Zod has for it, over MCP and REST", async (tool, args, name, code) => {
    const call = { tool, args, authorization: north };
    const { message } = await observe("v1", environment.mcp, call);
    expect(message.result?.structuredContent).toMatchObject({ issues: [{ path: [name], code }] });
    const refused = await (await fetch(restRequest(environment.rest, call))).json();
    expect(refused).toMatchObject({ code: 400, errors: [{ path: [name], code }] });
    // What is wrong is never given as what is expected.
    expect(JSON.stringify([message, refused])).not.toMatch(/expected (?:Invalid|Too)/);
  });

  test("were not sent to the API", async () => {
    const before = environment.incidents.length;
    await observe("plain HTTP", environment.mcp, toolCall);
    expect(environment.incidents).toHaveLength(before);
  });
});

describe("a failure of the API itself", () => {
  test("names the request id in the advice, beside it and in the log, and calling again helps once it is over", async () => {
    await environment.database.query("alter table client rename column stage to phase");
    const toolCall = { tool: "getClient", args: { id: "1" }, authorization: north };
    environment.incidents.length = 0;
    const { message } = await observe("v2 legacy", environment.mcp, toolCall);
    await environment.database.query("alter table client rename column phase to stage");
    const body = message.result?.structuredContent;
    expect(body).toMatchObject({ code: 500, error: "Internal error" });
    const fault = message.result?._meta?.["recourse/fault"] as { requestId: string; incident: string };
    expect(body?.["details"]).toBe(`Try again; if it stays so, contact support. Request id: ${fault.requestId}.`);
    let log = "";
    for (const incident of environment.incidents) stderrSink({ write: (text) => (log += text) })(incident);
    expect(log).toContain(`incident=${fault.incident} request_id=${fault.requestId} `);
    const again = await observe("v2 legacy", environment.mcp, toolCall);
    expect(again.message.result?.isError).toBeUndefined();
  });

  test("is retried by a client that reads the fault, until it is over", async () => {
    const client = new Client({ name: "agent", version: "1.0.0" });
    const requestInit = { headers: { authorization: north } };
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", environment.mcp), { requestInit }));
    environment.incidents.length = 0;
    await environment.database.query("alter table client rename column stage to phase");
    const outcome = recourse(client).call("getClient", { id: "1" });
    await vi.waitUntil(() => environment.incidents.some(({ tool }) => tool === "getClient"));
    await environment.database.query("alter table client rename column phase to stage");
    expect(await outcome).toMatchObject({ ok: true, result: { structuredContent: { name: "Ada Brandt" } } });
    await client.close();
  });

  test("is a failed tool too where the API is away", async () => {
    const restart = await environment.stopRest();
    const { message } = await observe("v2 legacy", environment.mcp, { tool: "listAgents", authorization: north });
    await restart();
    expect(message.result).toMatchObject({ isError: true, structuredContent: { code: 503 } });
  });
});

test("-32603 for an exception of the MCP server itself, and calling again helps once it is over", async () => {
  await rm(environment.folder, { recursive: true });
  const { message } = await post(callOf("listAgents", {}));
  await mkdir(environment.folder);
  const incident = environment.incidents.find(({ fault }) => fault.reason === "core/internal")?.fault.incident;
  expect(message.error).toEqual({ code: -32603, message: expect.any(String), data: { effect: "none", incident } });
  expect(JSON.stringify(message)).not.toContain(environment.folder);
  expect((await post(callOf("listAgents", {}))).message.result?.isError).toBeUndefined();
});
