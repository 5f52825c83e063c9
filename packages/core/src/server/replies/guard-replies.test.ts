import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer } from "@modelcontextprotocol/server";
import type { AnyClient } from "@recourse/test-kit/sdk-pairs";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import * as z from "zod";
import { type Dialect, erlmcp } from "../../dialects/index.ts";
import type { Incident } from "../../incidents/incident.ts";
import { type Fault, readFault } from "../../index.ts";
import { core } from "../../reasons/index.ts";
import { type GuardOptions, guard } from "../index.ts";
import { findEncodingError } from "./guard-replies.ts";

const SECRET = "hunter2";
const INFO = { name: "s", version: "1" };
const coded = () => Object.assign(new Error(SECRET), { code: -32050, data: { sql: SECRET } });

const VERSIONS = {
  v1: () => ({ server: new McpServerV1(INFO), client: new ClientV1(INFO), ends: InMemoryV1.createLinkedPair() }),
  v2: () => ({ server: new McpServer(INFO), client: new Client(INFO), ends: InMemoryTransport.createLinkedPair() }),
} as const;

let close: (() => Promise<void>) | undefined;
afterEach(async () => close?.());

type Low = { fallbackRequestHandler?: (request: { readonly method: string }) => Promise<object> };

/** A guarded server whose methods besides the protocol's are all handled by one function. */
async function connect(
  version: keyof typeof VERSIONS,
  fallback: Low["fallbackRequestHandler"] | undefined,
  options: GuardOptions = {},
): Promise<{ client: AnyClient; incidents: Incident[] }> {
  const { server, client, ends } = VERSIONS[version]();
  const incidents: Incident[] = [];
  guard(server, { sink: (incident) => incidents.push(incident), ...options });
  if (fallback !== undefined) (server.server as unknown as Low).fallbackRequestHandler = fallback;
  const [here, there] = ends;
  await Promise.all([server.connect(here as never), client.connect(there as never)]);
  close = () => client.close();
  return { client: client as unknown as AnyClient, incidents };
}

interface Answer {
  readonly code?: number;
  readonly fault?: Fault | undefined;
  /** All of it, as text. */
  readonly whole: string;
}

async function ask(client: AnyClient, method = "shop/open"): Promise<Answer> {
  try {
    const result = (await client.request({ method }, z.looseObject({}))) as object;
    return { ...result, whole: JSON.stringify(result) };
  } catch (thrown) {
    const { code, message, data } = thrown as { code: number; message: string; data?: Record<string, unknown> };
    return { code, fault: readFault(data?.["recourse/fault"]), whole: JSON.stringify([message, data]) };
  }
}

describe.each(["v1", "v2"] as const)("%s", (version) => {
  test("a method that nobody handles is named, and is no news for the operator", async () => {
    const { client, incidents } = await connect(version, undefined);
    const message = 'This server does not offer the method "shop/open".';
    const { code, fault } = await ask(client);
    expect(code).toBe(-32601);
    expect(fault).toMatchObject({ reason: "protocol/method_not_found", message, effect: "none" });
    expect(fault).not.toHaveProperty("incident");
    expect(incidents).toEqual([]);
  });

  test("it is recorded where the callers' own mistakes are", async () => {
    const { client, incidents } = await connect(version, undefined, { reportCallerErrors: true });
    const answer = await ask(client);
    expect(incidents).toMatchObject([{ method: "shop/open", fault: { reason: "protocol/method_not_found" } }]);
    expect(answer).toMatchObject({ fault: { incident: incidents[0]?.fault.incident } });
  });

  test("the handler of all other methods is guarded like any", async () => {
    const { client, incidents } = await connect(version, async () => {
      throw coded();
    });
    const answer = await ask(client);
    expect(answer).toMatchObject({ code: -32603, fault: { reason: "core/internal" } });
    expect(answer.whole).not.toContain(SECRET);
    expect(incidents).toMatchObject([{ method: "shop/open", cause: { message: SECRET } }]);
  });

  test("what it throws on purpose arrives whole, and what it returns too", async () => {
    const { client } = await connect(version, async ({ method }) => {
      if (method === "shop/open") return { open: true };
      throw core.conflict();
    });
    expect(await ask(client)).toMatchObject({ open: true });
    expect(await ask(client, "shop/close")).toMatchObject({ code: -32603, fault: { reason: "core/conflict" } });
  });

  test("a transport that is used again sends what was written as it was written", async () => {
    const { server } = VERSIONS[version]();
    guard(server, { sink: () => {}, dialect: erlmcp as Dialect<unknown> });
    (server.server as unknown as Low).fallbackRequestHandler = async () => {
      throw core.rate_limited();
    };
    const sent: unknown[] = [];
    const transport: Record<string, ((message?: unknown) => unknown) | undefined> = {
      start: async () => {},
      close: async () => transport["onclose"]?.(),
      send: async (message) => sent.push(message),
    };
    for (const id of [1, 2]) {
      Object.assign(transport, { onmessage: undefined, onclose: undefined });
      await server.connect(transport as never);
      transport["onmessage"]?.({ jsonrpc: "2.0", id, method: "shop/open" });
      await vi.waitFor(() => expect(sent).toHaveLength(id));
      await server.close();
    }
    const error = { code: -32010, message: "Rate limit exceeded" };
    expect(sent).toEqual([1, 2].map((id) => ({ jsonrpc: "2.0", id, error })));
  });

  test("a result that JSON cannot say is answered all the same", async () => {
    const { client, incidents } = await connect(version, async () => ({ n: 1n }));
    // The in-memory transport would carry it; the check before it does not let it.
    expect(await ask(client)).toMatchObject({ code: -32603, fault: { reason: "core/internal" } });
    expect(incidents).toMatchObject([{ cause: expect.any(TypeError) }]);
  });
});

const cycle: Record<string, unknown> = {};
cycle["itself"] = cycle;

it.each([
  ["structured content", { content: [], structuredContent: { n: 1n } }],
  ["_meta", { content: [], _meta: { cycle } }],
  ["the _meta of a block", { content: [{ type: "text", text: "x", _meta: { n: 1n } }] }],
  [
    "a block after others",
    {
      content: [
        { type: "text", text: "x" },
        { type: "resource", resource: cycle },
      ],
    },
  ],
  ["content that is no list", { content: 1n }],
  ["a block that is none", { content: [1n] }],
  ["any other member", { content: [], more: 1n }],
  ["the result of another method", { contents: [{ uri: "res://a", n: 1n }] }],
])("finds what JSON cannot say in %s", (_where, result) => {
  expect(findEncodingError({ jsonrpc: "2.0", id: 1, result })).toBeInstanceOf(TypeError);
});

it("lets everything else pass", () => {
  const content = [
    { type: "text", text: "x", annotations: { priority: 1 } },
    { type: "image", data: "aGk=", mimeType: "a/b" },
  ];
  expect(findEncodingError({ result: { content, structuredContent: { n: 1 }, _meta: { a: null } } })).toBeUndefined();
  for (const result of [null, undefined, "x", { tools: [] }]) expect(findEncodingError({ result })).toBeUndefined();
  expect(findEncodingError({ method: "x", params: { n: 1n } })).toBeUndefined();
});

it("does not look at the texts of content", () => {
  const block = { type: "text", text: "x", toJSON: () => expect.unreachable() };
  Object.defineProperty(block, "toJSON", { enumerable: false });
  expect(findEncodingError({ result: { content: [block] } })).toBeUndefined();
});
