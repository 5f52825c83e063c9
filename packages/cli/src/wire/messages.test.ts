import { expect, test } from "vitest";
import { isLoopback } from "./limits.ts";
import { answersId, answersNobody, headersFor, messagesIn, replyToServer, withEnvelope } from "./messages.ts";

test("messages are known by their form", () => {
  expect(messagesIn({ jsonrpc: "2.0", id: 1, result: {} })).toHaveLength(1);
  expect(
    messagesIn([
      { jsonrpc: "2.0", method: "a" },
      { jsonrpc: "2.0", id: 1, error: {} },
    ]),
  ).toHaveLength(2);
  for (const other of [null, 1, [], {}, { jsonrpc: "2.0" }, { jsonrpc: "1.0", id: 1, result: {} }, [1]])
    expect(messagesIn(other)).toEqual([]);
  expect(answersId({ jsonrpc: "2.0", id: "1", result: {} }, 1)).toBe(false);
  expect(answersNobody({ jsonrpc: "2.0", id: null, error: {} })).toBe(true);
  expect(answersNobody({ jsonrpc: "2.0", id: null, result: {} })).toBe(false);
  expect(replyToServer({ id: 4, method: "sampling/createMessage" })).toMatchObject({ id: 4, error: { code: -32601 } });
});

test("since 2026-07-28 version, client, method and name travel with every request", () => {
  const params = withEnvelope("2026-07-28", { name: "a b", _meta: { own: 1 } });
  expect(params).toMatchObject({ _meta: { own: 1, "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
  const headers = headersFor("2026-07-28", { method: "tools/call", params }, {});
  expect(headers).toEqual({ "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "a b" });
  const named = (name: string) => headersFor("2026-07-28", { method: "tools/call", params: { name } }, {})["mcp-name"];
  expect(named("ä\n")).toBe("=?base64?w6QK?=");
  expect(named(" padded")).toBe("=?base64?IHBhZGRlZA==?=");
  expect(named("=?base64?x?=")).toBe("=?base64?PT9iYXNlNjQ/eD89?=");
  expect(headersFor("2025-11-25", { method: "tools/call", params }, { id: "s", version: "2025-06-18" })).toEqual({
    "mcp-session-id": "s",
    "mcp-protocol-version": "2025-06-18",
  });
});

test("this machine is known by its names", () => {
  const names = ["http://localhost:1", "http://127.0.0.1", "http://[::1]:80", "http://127.9.9.9", "http://a.localhost"];
  for (const name of names) expect(isLoopback(new URL(name))).toBe(true);
  for (const name of ["http://example.com", "http://10.0.0.1", "http://127.0.0.1.example.com"])
    expect(isLoopback(new URL(name))).toBe(false);
});
