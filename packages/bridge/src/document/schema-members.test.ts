import { expect, it } from "vitest";
import type { Document } from "./document.ts";
import { schemaMembers } from "./schema-members.ts";

const text = { type: "string" };
const document: Document = {
  version: "3.1",
  root: {
    s: {
      base: { type: "object", properties: { id: { ...text, readOnly: true }, name: text }, required: ["id", "name"] },
      loop: { allOf: [{ $ref: "#/s/loop" }] },
      wide0: { properties: { a: text } },
      ...Object.fromEntries(
        Array.from({ length: 10 }, (_, i) => [`wide${i + 1}`, { allOf: Array(10).fill({ $ref: `#/s/wide${i}` }) }]),
      ),
    },
  },
};
const keys = (node: unknown) =>
  schemaMembers(document, node)?.map(({ key, isRequired }) => key + (isRequired ? "!" : ""));

it("joins the members of all parts, without read-only members", () => {
  const more = { type: "object", properties: { age: { type: "integer" }, name: { minLength: 1 } }, required: ["age"] };
  const node = { allOf: [{ $ref: "#/s/base" }, more] };
  expect(keys(node)).toEqual(["name!", "age!"]);
  expect(schemaMembers(document, node)?.[0]?.node).toEqual({ allOf: [text, { minLength: 1 }] });
});

it("accepts branches that only group members", () => {
  const node = { properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] };
  expect(keys(node)).toEqual(["a", "b"]);
});

it.each([
  ["no object", { type: "array", items: {} }],
  ["an object without members", { type: "object" }],
  ["a map", { type: "object", properties: { a: text }, additionalProperties: text }],
  ["branches with members", { properties: { a: text }, oneOf: [{ properties: { b: text } }] }],
  ["a part that is no object", { allOf: [{ properties: { a: text } }, text] }],
  ["a loop", { $ref: "#/s/loop" }],
  ["a part that is not there", { allOf: [{ $ref: "#/s/none" }] }],
  ["parts that multiply", { $ref: "#/s/wide10" }],
])("finds none in %s", (_, node) => {
  expect(schemaMembers(document, node)).toBeUndefined();
});

it("accepts an open object and a nullable one", () => {
  expect(keys({ type: ["object", "null"], properties: { a: text }, additionalProperties: true })).toEqual(["a"]);
});
