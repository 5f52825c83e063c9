import { describe, expect, it } from "vitest";
import { messageIssues, readableId } from "./message.ts";

describe("messageIssues", () => {
  it.each([
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", method: "notifications/initialized", params: {} },
    { jsonrpc: "2.0", id: "a", result: {} },
    { jsonrpc: "2.0", error: { code: -32700, message: "no" } },
  ])("finds none in %j", (message) => {
    expect(messageIssues(message)).toEqual([]);
  });

  it("names each member that is missing or of another type", () => {
    expect(messageIssues({ id: 1.5, params: 1 })).toEqual([
      { pointer: "/jsonrpc", rule: "required", expected: '"2.0"' },
      { pointer: "/id", rule: "type", expected: "a string or an integer" },
      { pointer: "/method", rule: "required", expected: "a string" },
    ]);
    expect(messageIssues({ jsonrpc: "2.0", method: "x", params: [] })).toEqual([
      { pointer: "/params", rule: "type", expected: "an object" },
    ]);
  });

  it.each([[[]], ["x"], [null], [undefined]])("cannot name any in %j", (value) => {
    expect(messageIssues(value)).toBeUndefined();
  });
});

it.each([
  [{ id: 1, method: 7 }, 1],
  [{ id: "a" }, "a"],
  [{ id: 1, result: {} }, undefined],
  [{ id: null, method: "x" }, undefined],
  [[], undefined],
])("readableId of %j is %j", (message, id) => {
  expect(readableId(message)).toBe(id);
});
