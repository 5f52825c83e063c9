import { expect, it } from "vitest";
import { operationAt, withBody } from "../../test/operation.ts";
import { buildRequest } from "./build-request.ts";

const server = new URL("https://api.example");
const text = { type: "string" };
const object = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });

function sent(operation: ReturnType<typeof withBody>, args: object, maxBytes?: number) {
  const built = buildRequest(operation, args, { server, maxBytes });
  return built.ok ? [built.request.headers["content-type"], built.request.body] : built.issues;
}

it("writes JSON from members, with their own names", () => {
  const operation = withBody("application/json", { schema: object({ name: text, "tags[]": {}, note: {} }) });
  expect(sent(operation, { name: "Ü", tags: [1, { a: null }], note: null })).toEqual([
    "application/json",
    '{"name":"Ü","tags[]":[1,{"a":null}],"note":null}',
  ]);
  expect(sent(operation, {})).toEqual(["application/json", "{}"]);
});

it("writes a whole JSON body", () => {
  const operation = withBody("application/merge-patch+json", { schema: { type: "array" } });
  expect(sent(operation, { body: [1, 2] })).toEqual(["application/merge-patch+json", "[1,2]"]);
  expect(sent(operation, {})).toEqual([{ pointer: "/body", rule: "required" }]);
});

it("sends no body that is not required and not given", () => {
  const operation = withBody("application/json", { schema: object({ a: text, b: text }, ["b"]) }, { required: false });
  expect(sent(operation, {})).toEqual([undefined, undefined]);
  expect(sent(operation, { a: "x" })).toEqual([{ pointer: "/b", rule: "required" }]);
});

it("writes forms", () => {
  const schema = object({ name: text, expand: {}, metadata: {}, items: {}, list: {}, flag: {}, nothing: {}, json: {} });
  const deep = { style: "deepObject", explode: true };
  const encoding = { expand: deep, metadata: deep, items: deep, json: { contentType: "application/json" } };
  const operation = withBody("application/x-www-form-urlencoded", { schema, encoding });
  const args = {
    name: "A & B",
    expand: ["a", "b"],
    metadata: { k: "v" },
    items: [{ price: "p", quantity: 2 }],
    list: [1, 2],
    flag: true,
    nothing: null,
    json: ["x"],
  };
  const [type, body] = sent(operation, args);
  expect(type).toBe("application/x-www-form-urlencoded");
  expect([...new URLSearchParams(String(body))]).toEqual([
    ["name", "A & B"],
    ["expand[]", "a"],
    ["expand[]", "b"],
    ["metadata[k]", "v"],
    ["items[0][price]", "p"],
    ["items[0][quantity]", "2"],
    ["list", "1"],
    ["list", "2"],
    ["flag", "true"],
    ["json", '["x"]'],
  ]);
});

it("writes nested values of a form as JSON by default", () => {
  const operation = withBody("application/x-www-form-urlencoded", { schema: object({ blocks: {}, meta: {} }) });
  const [, body] = sent(operation, { blocks: [{ a: 1 }], meta: { b: 2 } });
  expect([...new URLSearchParams(String(body))]).toEqual([
    ["blocks", '[{"a":1}]'],
    ["meta", '{"b":2}'],
  ]);
});

it("writes a form that is one argument", () => {
  const operation = withBody("application/x-www-form-urlencoded", { schema: { oneOf: [object({ a: text })] } });
  expect(sent(operation, { body: { a: 1, b: null } })).toEqual(["application/x-www-form-urlencoded", "a=1"]);
  expect(sent(operation, { body: "a=1&admin=1" })).toMatchObject([{ pointer: "/body", rule: "type" }]);
});

it("writes text and bytes", () => {
  expect(sent(withBody("text/csv", {}), { body: "a;b\n" })).toEqual(["text/csv", "a;b\n"]);
  expect(sent(withBody("text/csv", {}), { body: 5 })).toMatchObject([{ pointer: "/body", rule: "type" }]);
  expect(sent(withBody("image/png", {}), { body: "AQID" })).toEqual(["image/png", Uint8Array.of(1, 2, 3)]);
  expect(sent(withBody("image/png", {}), { body: "not base64!" })).toMatchObject([
    { pointer: "/body", rule: "format" },
  ]);
});

it.each([
  ["application/json", { body: "x".repeat(100) }],
  ["text/plain", { body: "ü".repeat(30) }],
  ["application/octet-stream", { body: "A".repeat(100) }],
])("limits the size of %s", (type, args) => {
  expect(sent(withBody(type, { schema: text }), args, 50)).toMatchObject([{ pointer: "/body", rule: "length" }]);
});

it("refuses values that JSON does not have", () => {
  const loop: Record<string, unknown> = {};
  loop["self"] = loop;
  const operation = withBody("application/json", { schema: {} });
  for (const body of [1n, loop, () => 1]) expect(sent(operation, { body })).toMatchObject([{ rule: "type" }]);
});

it("sends no body with GET", () => {
  const requestBody = { required: true, content: { "application/json": { schema: object({ a: text }) } } };
  const operation = operationAt("/a", "get", { requestBody });
  expect(sent(operation, {})).toEqual([undefined, undefined]);
  expect(sent(operation, { a: "x" })).toMatchObject([{ pointer: "", rule: "unknown" }]);
});
