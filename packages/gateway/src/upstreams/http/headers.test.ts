import { expect, it } from "vitest";
import { commonHeaders, encodeHeaderValue, messageHeaders } from "./headers.ts";

it.each([
  ["search", "search"],
  ["file:///a b", "file:///a b"],
  ["a\tb", "a\tb"],
  ["", "=?base64??="],
  [" a", "=?base64?IGE=?="],
  ["a ", "=?base64?YSA=?="],
  ["grüße", "=?base64?Z3LDvMOfZQ==?="],
  ["a\r\nx-evil: 1", "=?base64?YQ0KeC1ldmlsOiAx?="],
  ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
])("%j is written as %s", (text, written) => {
  expect(encodeHeaderValue(text)).toBe(written);
});

it("names the target of methods that have one", () => {
  expect(messageHeaders("tools/call", "x")).toContain("mcp-name");
  expect(messageHeaders("resources/read", "x")).toContain("mcp-name");
  expect(messageHeaders("tools/list", undefined)).not.toContain("mcp-name");
  expect(messageHeaders("completion/complete", "x")).not.toContain("mcp-name");
});

it("shows the credential of the upstream", () => {
  expect(commonHeaders({ kind: "none" })).not.toContain("authorization");
  expect(commonHeaders({ kind: "header", name: "x-api-key", value: "k" }).slice(-2)).toEqual(["x-api-key", "k"]);
});
