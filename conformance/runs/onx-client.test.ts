// The client kit against a server that is written as onX's document says, without Recourse, over HTTP.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { recourse } from "@recourse/core/client";
import { afterAll, beforeEach, expect, test } from "vitest";

/** What the server answers to a call, by the name of the tool. */
const ANSWERS: Readonly<Record<string, object>> = {
  found: { result: { content: [], structuredContent: { id: "ORD-1" } } },
  missing: result(4001, false, { originalError: "ORDER_NOT_FOUND" }),
  invalid: result(2002, false, { field: "order.customer.email", suggestion: "Add an address" }),
  unsupported: result(5001, false),
  limited: result(3001, true),
  slow: result(3002, true),
  away: result(4002, true),
  limited_rpc: rpc(3001, { retryable: true, context: { retryAfterMs: 20 } }),
  away_rpc: rpc(4002, { retryable: true }),
  missing_rpc: rpc(4001, { retryable: false, details: { originalError: "ORDER_NOT_FOUND" } }),
  malformed: rpc(-32602, { field: "order.customer.email" }),
};

function result(code: number, retryable: boolean, details?: object): object {
  return { result: { content: [], error: { code, message: "It failed", retryable, ...(details && { details }) } } };
}

function rpc(code: number, data: object): object {
  return { error: { code, message: "It failed", data } };
}

let calls = 0;
beforeEach(() => {
  calls = 0;
});

const sdk = createMcpHandler(() => {
  const server = new McpServer({ name: "shop", version: "1.0.0" });
  for (const name of Object.keys(ANSWERS)) server.registerTool(name, {}, () => ({ content: [] }));
  return server;
});
/** Calls are answered by the table; everything else, such as the handshake, by the SDK. */
const server = createServer(async (incoming, outgoing) => {
  const body = await text(incoming);
  const { id, method, params } = JSON.parse(body || "{}");
  if (method === "tools/call") {
    calls++;
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ jsonrpc: "2.0", id, ...ANSWERS[params.name] }));
    return;
  }
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const request = { method: incoming.method ?? "GET", headers, ...(body !== "" && { body }) };
  const response = await sdk.fetch(new Request(`http://127.0.0.1${incoming.url}`, request));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const client = new Client({ name: "agent", version: "1.0.0" });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)),
);
const kit = recourse(client, { retry: { policy: { baseMs: 5 }, breaker: false, budget: false } });
afterAll(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

test("a success is a success", async () => {
  expect(await kit.call("found")).toMatchObject({ ok: true, result: { structuredContent: { id: "ORD-1" } } });
});

test.each([
  ["limited", "rate_limited", 3],
  ["slow", "timeout", 3],
  ["away", "unavailable", 3],
  ["limited_rpc", "rate_limited", 3],
  ["away_rpc", "unavailable", 3],
  ["missing", "upstream_failed", 1],
  ["missing_rpc", "upstream_failed", 1],
  ["invalid", "invalid_input", 1],
  ["unsupported", "unsupported", 1],
  ["malformed", "invalid_input", 1],
])("a call that may be repeated is repeated only where `retryable` is true: %s", async (tool, kind, times) => {
  expect(await kit.conversation().call(tool, {}, { repeatable: true })).toMatchObject({ ok: false, fault: { kind } });
  expect(calls).toBe(times);
});

test.each(["slow", "away", "away_rpc"])("a call that may have taken effect is not repeated: %s", async (tool) => {
  expect(await kit.conversation().call(tool)).toMatchObject({
    ok: false,
    fault: { effect: "possible", retry: { allowed: true }, recourse: [{ do: "refresh" }] },
  });
  expect(calls).toBe(1);
});

test("the field and the suggestion reach the caller", async () => {
  expect(await kit.call("invalid")).toMatchObject({
    fault: {
      issues: [{ pointer: "/order/customer/email", rule: "required" }],
      quote: { text: "It failed. Add an address" },
    },
  });
  expect(await kit.call("malformed")).toMatchObject({ fault: { issues: [{ pointer: "/order/customer/email" }] } });
});
