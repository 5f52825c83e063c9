// What the guard knows of a low-level server, by its own lists and by how it refuses.
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer as McpServer1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import {
  type CallToolResult,
  type ListToolsResult,
  McpServer,
  ProtocolError,
  Server,
} from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readFault } from "../../index.ts";
import { core } from "../../reasons/index.ts";
import { guard } from "../guard.ts";

let client: Client;
beforeEach(() => {
  client = new Client({ name: "caller", version: "1.0.0" });
});
afterEach(() => client.close());

interface Handlers {
  readonly call: () => CallToolResult;
  readonly list?: (cursor: string | undefined) => ListToolsResult | Promise<ListToolsResult>;
  readonly read?: () => never;
}

const inputSchema = { type: "object" as const };
const readsOnly = (name: string) => ({ name, inputSchema, annotations: { readOnlyHint: true } });
const LISTED: ListToolsResult = { tools: [readsOnly("find")] };

/** The fault of a call of `find`, or of another tool. */
async function faultOf(
  { call, list = () => LISTED, read }: Handlers,
  ask: (by: Client) => Promise<unknown> = (by) => by.callTool({ name: "find", arguments: {} }),
) {
  const server = new Server({ name: "s", version: "1.0.0" }, { capabilities: { tools: {}, resources: {} } });
  guard(server, { sink: () => {} });
  server.setRequestHandler("tools/list", ({ params }) => list(params?.cursor));
  server.setRequestHandler("tools/call", call);
  server.setRequestHandler("resources/list", () => ({ resources: [{ uri: "prices", name: "prices" }] }));
  if (read !== undefined) server.setRequestHandler("resources/read", read);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  try {
    const { _meta: meta } = (await ask(client)) as CallToolResult;
    return readFault(meta?.["recourse/fault"]);
  } catch (error) {
    return readFault((error as { data?: Record<string, unknown> }).data?.["recourse/fault"]);
  }
}

function throwing(error: unknown) {
  return () => {
    throw error;
  };
}

const breaks = throwing(new Error("connect ECONNREFUSED"));
const unknown = (by: Client) => by.callTool({ name: "finds", arguments: {} });

describe("the list of a server", () => {
  test("counts with all its pages", async () => {
    const list = (cursor: string | undefined) =>
      cursor === undefined ? { tools: [readsOnly("get")], nextCursor: "2" } : LISTED;
    expect(await faultOf({ call: breaks, list })).toMatchObject({ effect: "none" });
  });

  test.each([
    ["that throws", throwing(new Error("no list"))],
    ["that never ends", (): ListToolsResult => ({ tools: [], nextCursor: "again" })],
    ["that is none", () => ({}) as ListToolsResult],
  ])("%s is no reason to fail otherwise", async (_what, list) => {
    expect(await faultOf({ call: breaks, list })).toMatchObject({ effect: "possible" });
    await client.close();
    client = new Client({ name: "caller", version: "1.0.0" });
    const refuses = throwing(new Error("Unknown tool: finds"));
    const fault = await faultOf({ call: refuses, list }, unknown);
    expect(fault?.reason).not.toBe("tool/not_found");
  });

  test("that does not come is not waited for longer than a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      const list = vi.fn(() => new Promise<ListToolsResult>(() => {}));
      const asked = faultOf({ call: breaks, list });
      await vi.waitFor(() => expect(list).toHaveBeenCalled());
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await asked).toMatchObject({ effect: "possible" });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a name that the list does not have", () => {
  test.each([
    ["Unknown tool: finds"],
    ["MCP error -32603: Tool finds not found"],
    ["No such tool"],
    ["finds is not implemented"],
    ["Invalid tool name"],
  ])("is unknown if the handler throws %j", async (text) => {
    expect((await faultOf({ call: throwing(new Error(text)) }, unknown))?.reason).toBe("tool/not_found");
  });

  test("is unknown if the handler throws a text, the code of a missing method, or returns the sentence", async () => {
    const text = "Unknown tool: finds";
    const refusals = [
      throwing(text),
      throwing(new ProtocolError(-32601, "nothing here")),
      throwing(new ProtocolError(-32602, text)),
      () => ({ isError: true, content: [{ type: "text" as const, text }] }),
    ];
    for (const call of refusals) {
      expect((await faultOf({ call }, unknown))?.reason).toBe("tool/not_found");
      await client.close();
      client = new Client({ name: "caller", version: "1.0.0" });
    }
  });

  test.each([["order 7 not found"], ["connect ECONNREFUSED"], ["finds failed"]])(
    "is one that the server serves all the same if the handler throws %j",
    async (text) => {
      expect((await faultOf({ call: throwing(new Error(text)) }, unknown))?.reason).not.toBe("tool/not_found");
    },
  );

  test("has the fault of the author if there is one", async () => {
    const { reason } = (await faultOf({ call: throwing(core.conflict({ what: "unknown tool" })) }, unknown)) ?? {};
    expect(reason).toBe("core/conflict");
  });
});

test("a listed tool may fail with any words", async () => {
  const fault = await faultOf({ call: throwing(new Error("Unknown tool: find")) });
  expect(fault?.reason).not.toBe("tool/not_found");
});

test("a resource may be listed under any name; a wrong one is named as such", async () => {
  const call = () => ({ content: [] });
  const read = throwing(new TypeError("Invalid URL"));
  expect((await faultOf({ call, read }, (by) => by.readResource({ uri: "prices" })))?.kind).toBe("internal");
  await client.close();
  client = new Client({ name: "caller", version: "1.0.0" });
  const wrong = await faultOf({ call, read }, (by) => by.readResource({ uri: "price list" }));
  expect(wrong).toMatchObject({ reason: "resource/invalid_uri", effect: "none" });
});

describe("an author replaces the handlers of an McpServer that declares tools", () => {
  const capabilities = { tools: {} };
  const answer = ({ params }: { readonly params: { readonly name: string } }) => {
    if (params.name !== "find") throw new Error(`Unknown tool: ${params.name}`);
    return { content: [{ type: "text" as const, text: "found" }] };
  };
  const ofVersion1 = () => {
    const server = new McpServer1({ name: "s", version: "1.0.0" }, { capabilities });
    server.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: LISTED.tools as never }));
    server.server.setRequestHandler(CallToolRequestSchema, answer);
    return server;
  };
  const ofVersion2 = () => {
    const server = new McpServer({ name: "s", version: "1.0.0" }, { capabilities });
    server.server.setRequestHandler("tools/list", () => LISTED);
    server.server.setRequestHandler("tools/call", answer);
    return server;
  };

  test.each([
    ["1", ofVersion1],
    ["2", ofVersion2],
  ])("SDK %s: its tools are called, and others are unknown", async (_version, make) => {
    const server = guard(make(), { sink: () => {} });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far as never);
    await client.connect(near);
    expect((await client.callTool({ name: "find", arguments: {} })).content).toEqual([{ type: "text", text: "found" }]);
    const refused = await unknown(client).catch((error: unknown) => error);
    expect(readFault((refused as { data?: Record<string, unknown> }).data?.["recourse/fault"])?.reason).toBe(
      "tool/not_found",
    );
  });
});
