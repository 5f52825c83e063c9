// Lists for each caller of an upstream with sessions: each session of the official server has tools of its own.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createApiKey } from "../../src/auth/api-keys.ts";
import { initialize, resultFor, send } from "../sessions/support.ts";
import { httpUpstream, stdioUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { holdTime } from "../support/held-time.ts";
import { callAs, listFor } from "./support.ts";

// No list is late on a slow machine.
beforeEach(holdTime);

/** A server whose tool `unlock` adds the tool `vault` for its session, and says so. Sessions have no other tools in common. */
async function openVaults() {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen = { lists: 0 };
  const server = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (text.includes('"tools/list"')) seen.lists += 1;
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    if (known !== undefined) return known.handleRequest(request, response, body);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    let isOpen = false;
    const mcp = new McpServer({ name: "vaults", version: "1.0.0" });
    mcp.registerTool("unlock", {}, async ({ sendNotification }) => {
      if (!isOpen) mcp.registerTool("vault", {}, () => ({ content: [{ type: "text", text: "gold" }] }));
      isOpen = true;
      await sendNotification({ method: "notifications/tools/list_changed" });
      return { content: [{ type: "text", text: "unlocked" }] };
    });
    await mcp.connect(transport as never);
    return transport.handleRequest(request, response, body);
  });
  const { url, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return { url, seen };
}

function keyConfig({ id, sha256 }: { readonly id: string; readonly sha256: string }) {
  return { id, sha256, tenant: "acme", tools: ["*"], scopes: [], entitlements: [], dialect: undefined };
}

async function open() {
  const upstream = await openVaults();
  const keys = ["ada", "bob"].map((id) => ({ id, ...createApiKey() }));
  const gateway = await startTestGateway({
    authentication: "required",
    keys: keys.map(keyConfig),
    upstreams: [httpUpstream(upstream.url, { era: "2025-11-25", lists: "caller" })],
  });
  const [ada = "", bob = ""] = keys.map(({ key }) => key);
  const begin = async (key: string) => ({ key, session: await initialize(gateway.url, { key }) });
  type Begun = Awaited<ReturnType<typeof begin>>;
  const names = async (who: Begun) => {
    const { tools } = await resultFor(gateway.url, "tools/list", {}, who);
    return (tools as { name: string }[]).map(({ name }) => name);
  };
  const use = async (who: Begun, name: string) =>
    (await send(gateway.url, "tools/call", { name, arguments: {} }, who)).text;
  return { upstream, url: gateway.url, ada, bob, begin, names, use };
}

test("what a session is listed is its own, and a change that it is told of shows at once", async () => {
  const { ada, bob, begin, names, use } = await open();
  const [first, second, other] = [await begin(ada), await begin(ada), await begin(bob)];
  for (const who of [first, second, other]) expect(await names(who)).toEqual(["up__unlock"]);
  expect(await use(first, "up__unlock")).toContain("unlocked");
  expect(await names(first)).toEqual(["up__unlock", "up__vault"]);
  expect(await use(first, "up__vault")).toContain("gold");
  for (const who of [second, other]) {
    expect(await names(who)).toEqual(["up__unlock"]);
    expect(await use(who, "up__vault")).toContain("No such tool");
  }
});

test("a session is told on its stream that its own lists have changed, and others are not", async () => {
  const { url, ada, bob } = await open();
  const told: string[] = [];
  const connect = async (name: string, key: string) => {
    const client = new Client({ name, version: "1.0.0" });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.push(name));
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never);
    onTestFinished(() => client.close());
    return client;
  };
  const [first] = [await connect("first", ada), await connect("second", ada), await connect("other", bob)];
  await first.listTools();
  // The streams are opened beside the first requests.
  await expect
    .poll(async () => {
      await first.callTool({ name: "up__unlock" });
      return told.length;
    })
    .toBeGreaterThan(0);
  expect(new Set(told)).toEqual(new Set(["first"]));
  expect((await first.listTools()).tools.map(({ name }) => name)).toContain("up__vault");
});

test("a program for each caller lists what it lists to that caller", async () => {
  const keys = ["ada", "bob"].map((id) => ({ id, ...createApiKey() }));
  const child = fileURLToPath(new URL("pid-child.mjs", import.meta.url));
  const gateway = await startTestGateway({
    authentication: "required",
    keys: keys.map(keyConfig),
    upstreams: [stdioUpstream([process.execPath, child], { lists: "caller", cwd: process.cwd(), per: "caller" })],
  });
  const lists = await Promise.all(keys.map(({ key }) => listFor(gateway, key)));
  expect(lists.map((list) => list.length)).toEqual([1, 1]);
  expect(new Set(lists.flat()).size).toBe(2);
  const [[mine = ""] = [], [foreign = ""] = []] = lists;
  const key = keys[0]?.key ?? "";
  expect((await callAs(gateway, key, mine)).text).toContain('"text":"');
  expect((await callAs(gateway, key, foreign)).text).toContain("No such tool");
});

test("a list is read once for a session as long as it is fresh", async () => {
  const { ada, bob, begin, names, use, upstream } = await open();
  const [one, other] = [await begin(ada), await begin(bob)];
  for (let round = 0; round < 3; round++) {
    for (const who of [one, other]) {
      await names(who);
      await use(who, "up__unlock2");
    }
  }
  expect(upstream.seen.lists).toBe(2);
});
