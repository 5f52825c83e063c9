import { expect, test } from "vitest";
import { headersFor, withEnvelope } from "./envelope.ts";
import { eventReader } from "./events.ts";
import { lineSplitter } from "./lines.ts";
import { answersId, answersNobody, messagesIn, replyToServer } from "./messages.ts";
import { isLoopback } from "./target.ts";

test("lines are split by bytes, and a line that is too long is only counted", () => {
  const lines: unknown[] = [];
  const split = lineSplitter(10, (line) => lines.push("text" in line ? line.text : line.tooLong));
  const bytes = Buffer.from("ä\r\n\nfour\nmore than ten bytes\nend\n");
  for (const byte of bytes) split(Buffer.of(byte));
  split(Buffer.from("one\ntwo\nthr"));
  expect(lines).toEqual(["ä", "", "four", 19, "end", "one", "two"]);
});

test("events are read whatever the pieces and line ends are", () => {
  const data: string[] = [];
  const read = eventReader((one) => data.push(one));
  for (const piece of ["event: message\r", '\ndata: {"a"', ":1}\n\n: note\n\ndata:x\ndata: y\r\n", "\r\nid: 5\n\n"])
    read(piece);
  expect(data).toEqual(['{"a":1}', "x\ny"]);
});

test("an event that is too long is dropped as it arrives, and the next one is read", () => {
  const data: string[] = [];
  const read = eventReader((one) => data.push(one), { maxLength: 100 });
  read("data: ");
  for (let turn = 0; turn < 1_000; turn++) read("x".repeat(10));
  for (const piece of ["\n", "data: still dropped\n", "\r\n", "data: next\n\n"]) read(piece);
  for (let turn = 0; turn < 1_000; turn++) read("data: many lines\n");
  read("\ndata: last\r");
  read("\n\n");
  expect(data).toEqual(["next", "last"]);
});

test("a long line costs time by its length, however many pieces it comes in", () => {
  let length = 0;
  const read = eventReader((one) => {
    length = one.length;
  });
  const before = process.cpuUsage();
  read("data:");
  for (let turn = 0; turn < 80_000; turn++) read("x".repeat(100));
  read("\n\n");
  expect(length).toBe(8_000_000);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_500);
});

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
