import { createMcpHandler, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { META } from "../../../test/peers/server/guarded-handler.ts";
import { type Dialect, erlmcp, mcp } from "../../dialects/index.ts";
import { guard } from "../guard.ts";

async function read(uri: string, dialect: Dialect<unknown>) {
  const fail = () => {
    throw new Error("db-7.internal is down");
  };
  const handler = createMcpHandler(() => {
    const server = guard(new McpServer({ name: "s", version: "1" }), {
      dialect,
      sink: () => {},
      now: () => 1_767_323_045_000,
      random: () => new Uint8Array(16),
    });
    server.registerResource("day", new ResourceTemplate("logs://{date}", { list: undefined }), {}, fail);
    server.registerResource("all", "logs://all", {}, fail);
    return server;
  });
  const request = new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "resources/read",
      "mcp-name": uri,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri, _meta: META } }),
  });
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
