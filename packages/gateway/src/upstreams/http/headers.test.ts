import { expect, it } from "vitest";
import { commonHeaders, messageHeaders, paramHeaders } from "./headers.ts";

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

const SCHEMA = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    limit: { type: "integer", "x-mcp-header": "Limit" },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
    where: { type: "object", properties: { city: { type: "string", "x-mcp-header": "City" } } },
    list: { type: "array", "x-mcp-header": "List" },
    evil: { type: "string", "x-mcp-header": "a b\r\nc" },
    text: { type: "string" },
  },
};

it("repeats the arguments that the schema names", () => {
  const args = { region: "Zürich", limit: 5, dry: false, where: { city: "x" }, list: [1], evil: "e", text: "t" };
  expect(paramHeaders(SCHEMA, args)).toEqual([
    "mcp-param-Region",
    "=?base64?WsO8cmljaA==?=",
    "mcp-param-Limit",
    "5",
    "mcp-param-Dry",
    "false",
    "mcp-param-City",
    "x",
  ]);
});

it.each([[{}], [undefined], [{ region: null, limit: 2 ** 60, where: "x", dry: {} }]])(
  "leaves out what is not there or cannot be written: %j",
  (args) => {
    expect(paramHeaders(SCHEMA, args)).toEqual([]);
  },
);

it("is nothing for other schemas", () => {
  for (const schema of [undefined, true, {}, { properties: { a: { type: "string" } } }])
    expect(paramHeaders(schema, { a: "x" })).toBeUndefined();
});
