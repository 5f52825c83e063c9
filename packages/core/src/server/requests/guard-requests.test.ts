import { createMcpHandler, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { connectPair, ERAS } from "@recourse/test-kit/sdk-pairs";
import { expect, it, test } from "vitest";
import { fixed, META, post } from "../../../test/peers/server/guarded-handler.ts";
import { type Dialect, erlmcp, mcp } from "../../dialects/index.ts";
import type { Incident } from "../../incidents/incident.ts";
import { guard } from "../guard.ts";

const METHODS = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"] as const;

interface Listing {
  readonly method: string;
  readonly cursor: string | undefined;
}

const TOOLS = ["a", "b", "c"].map((name) => ({ name, inputSchema: { type: "object" as const } }));

/** A list with pages of one tool. Unknown cursors start again if `isLax`. */
function pages(isLax: boolean) {
  return ({ params }: { params?: { cursor?: string } }) => {
    const at = params?.cursor === undefined ? 0 : Number(params.cursor);
    if (!(at in TOOLS) && !isLax) throw new Error("no such page");
    const page = at in TOOLS ? at : 0;
    return { tools: TOOLS.slice(page, page + 1), ...(page + 1 < TOOLS.length && { nextCursor: String(page + 1) }) };
  };
}

async function list(era: (typeof ERAS)[number], { method, cursor }: Listing, isLax?: boolean) {
  const pair = await connectPair(era, (made) => {
    const server = guard(made as unknown as McpServer, { sink: () => {}, dialect: erlmcp });
    server.registerTool("echo", {}, () => ({ content: [] }));
    server.registerPrompt("greet", {}, () => ({ messages: [] }));
    server.registerResource("prices", "shop://prices", {}, () => ({ contents: [] }));
    if (isLax !== undefined) {
      const handlers = (server.server as unknown as { _requestHandlers: Map<string, unknown> })._requestHandlers;
      handlers.set("tools/list", async (request: never) => pages(isLax)(request));
    }
    return server as never;
  });
  const { client } = pair as unknown as { client: Record<string, (params: object) => Promise<unknown>> };
  const call = { "tools/list": "listTools", "prompts/list": "listPrompts", "resources/list": "listResources" }[method];
  const params = cursor === undefined ? {} : { cursor };
  try {
    return (await client[call ?? "listResourceTemplates"]?.(params)) as Record<string, unknown>;
  } catch (error) {
    return error as { code: number; data: unknown };
  } finally {
    await pair.close();
  }
}

it.each(ERAS.flatMap((era) => METHODS.map((method) => [era, method] as const)))(
  "%s: %s refuses a cursor that the server never made",
  async (era, method) => {
    const cursor = "invalid_cursor_string";
    expect(await list(era, { method, cursor })).toMatchObject({ code: -32071, data: { cursor } });
    expect(await list(era, { method, cursor: "" })).not.toHaveProperty("code");
    expect(await list(era, { method, cursor: undefined })).not.toHaveProperty("code");
  },
);

it.each(ERAS)("%s: pages of your own are served, and their refusals are yours", async (era) => {
  const method = "tools/list";
  for (const isLax of [false, true]) {
    expect(await list(era, { method, cursor: "1" }, isLax)).toMatchObject({ tools: [{ name: "b" }], nextCursor: "2" });
    expect(await list(era, { method, cursor: "2" }, isLax)).toMatchObject({ tools: [{ name: "c" }] });
  }
  expect(await list(era, { method, cursor: "9" }, true)).toMatchObject({ code: -32071, data: { cursor: "9" } });
  expect(await list(era, { method, cursor: "9" }, false)).toMatchObject({ code: -32603 });
});

async function read(uri: string, dialect: Dialect<unknown>) {
  const fail = () => {
    throw new Error("db-7.internal is down");
  };
  const handler = createMcpHandler(() => {
    const server = guard(new McpServer({ name: "s", version: "1" }), {
      dialect,
      sink: () => {},
      testing: fixed.testing,
    });
    server.registerResource("day", new ResourceTemplate("logs://{date}", { list: undefined }), {}, fail);
    server.registerResource("all", "logs://all", {}, fail);
    return server;
  });
  const message = { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri, _meta: META } };
  const request = post(message, { "mcp-method": "resources/read", "mcp-name": uri });
  return ((await (await handler.fetch(request)).json()) as { readonly error?: { readonly code: number } }).error;
}

test.each([
  ["logs://monday", { code: -32029, message: "Template render failed", data: { uri_template: "logs://{date}" } }],
  ["logs://all", { code: -32603, message: "Internal error", data: { effect: "none" } }],
])("what breaks at %s is answered in erlmcp by what served it", async (uri, { data, ...error }) => {
  const answer = await read(uri, erlmcp as Dialect<unknown>);
  expect(answer).toEqual({ ...error, data: { ...data, incident: "01KDYAK3480000000000000000" } });
});

test("other dialects answer as before", async () => {
  expect(await read("logs://monday", mcp as Dialect<unknown>)).toMatchObject({ code: -32603 });
});

it("a read that its caller gives up is cancelled, and no limit of time of the server", async () => {
  const told: string[] = [];
  const sink = ({ fault }: Incident) => void told.push(fault.reason);
  const server = guard(new McpServer({ name: "shop", version: "1.0.0" }), { sink, reportCallerErrors: true });
  server.registerResource("prices", "shop://prices", {}, () => ({ contents: [] }));
  const { _requestHandlers: handlers } = server.server as unknown as { _requestHandlers: Map<string, Handler> };
  const caller = new AbortController();
  handlers.set("resources/read", async () => {
    caller.abort();
    throw new DOMException("stopped", "AbortError");
  });
  const request = { method: "resources/read", params: { uri: "shop://prices" } };
  const context = { mcpReq: { signal: caller.signal } };
  await expect(handlers.get("resources/read")?.(request, context)).rejects.toThrow("The call was cancelled");
  expect(told).toEqual(["core/cancelled"]);
});

type Handler = (request: object, context: object) => Promise<unknown>;
