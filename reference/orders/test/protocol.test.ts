// A failure before a tool runs is a JSON-RPC error.
import { afterAll, expect, test } from "vitest";
import { ADAPTER_NAMES } from "../src/mcp/start.ts";
import { observe, post } from "./support/observers.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

const message = (change: object) => JSON.stringify({ jsonrpc: "2.0", id: 1, ...change });
const call = (params: object) => message({ method: "tools/call", params });
const CASES = [
  { cause: "JSON that breaks off", body: '{"jsonrpc":', code: -32700 },
  { cause: "no method", body: message({ params: {} }), code: -32600, field: "method" },
  { cause: "a method that is none", body: message({ method: "orders/steal" }), code: -32601 },
  {
    cause: "a cursor that is no text",
    body: message({ method: "tools/list", params: { cursor: 5 } }),
    code: -32602,
    field: "cursor",
  },
  { cause: "a call without a tool", body: call({ arguments: {} }), code: -32602, field: "name" },
  { cause: "a tool that is a number", body: call({ name: 5 }), code: -32602, field: "name" },
  {
    cause: "arguments that are a text",
    body: call({ name: "get_order", arguments: "x" }),
    code: -32602,
    field: "arguments",
  },
] as const;

test.each(ADAPTER_NAMES.flatMap((adapter) => CASES.map((one) => ({ adapter, field: undefined, ...one }))))(
  "$code over $adapter: $cause",
  async ({ adapter, body, code, field }) => {
    const response = await post(new URL(`/${adapter}`, environment.server.url), {
      body,
      headers: { "mcp-protocol-version": "2025-11-25" },
    });
    const [, json] = /^(?:event: message\n)?(?:data: )?(\{.*\})/m.exec(await response.text()) ?? [];
    const { error, result } = JSON.parse(json ?? "{}");
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code, message: expect.any(String) });
    expect(error.data?.field).toBe(field);
  },
);

test.each(ADAPTER_NAMES)("a tool that does not exist is 3004 over %s", async (adapter) => {
  const { result } = await observe("v2 modern", environment.server.url, { adapter, tool: "steal_order", args: {} });
  expect(result).toMatchObject({ isError: true, error: { code: 3004, retryable: false } });
});

test("a path of no adapter is not served", async () => {
  expect((await fetch(new URL("/mysql", environment.server.url))).status).toBe(404);
});

test.each(["onx", "klingon"])("the dialect is onX's by default and for unknown names: %s", async (dialect) => {
  const toolCall = { adapter: "rest", tool: "get_order", args: { order_id: "ORD-9999" }, dialect } as const;
  expect((await observe("v2 modern", environment.server.url, toolCall)).result?.error?.code).toBe(4001);
});

test.each(["v1", "v2 modern"] as const)("the dialect can be selected in _meta: %s", async (observer) => {
  const meta = { "recourse/dialect": "mcp" };
  const toolCall = { adapter: "postgres", tool: "get_order", args: { order_id: "ORD-9999" }, meta } as const;
  const { result } = await observe(observer, environment.server.url, toolCall);
  expect(result).not.toHaveProperty("error");
  expect(result?.["_meta"]).toMatchObject({ "recourse/fault": { reason: "orders/order_not_found" } });
});
