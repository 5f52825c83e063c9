import { expect, it } from "vitest";
import { issuesFor } from "./issues.ts";
import { validatorPaths } from "./validator.ts";

// The forms in which other libraries write the same things down, and in which they report where arguments fail.

it("reads what Valibot writes", () => {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      currency: { enum: ["EUR", "USD"] },
      amount: { type: "number", exclusiveMinimum: 0 },
      pay: {
        anyOf: [
          {
            type: "object",
            properties: { by: { const: "card" }, number: { type: "string", minLength: 12 } },
            required: ["by", "number"],
          },
          { type: "object", properties: { by: { const: "cash" } }, required: ["by"] },
        ],
      },
      note: { anyOf: [{ type: "string", maxLength: 20 }, { type: "null" }] },
    },
    required: ["currency", "amount", "pay"],
    additionalProperties: false,
  };
  const key = (...keys: (string | number)[]) => ({
    path: keys.map((one) => ({ type: "object", origin: "value", key: one })),
  });
  const args = { currency: "EURO", amount: 0, pay: { by: "card", number: "x" }, note: 5, ammount: 1 };
  const reported = [key("currency"), key("amount"), key("pay", "number"), key("note"), key("ammount")];
  const issues = [
    { pointer: "/currency", rule: "choice", expected: "one of EUR, USD", suggestion: "EUR" },
    { pointer: "/amount", rule: "range", expected: "a number above 0", code: "too_small" },
    { pointer: "/pay/number", rule: "length", expected: "at least 12 characters", code: "too_small" },
    { pointer: "/note", rule: "type", expected: "a string of at most 20 characters or null" },
    { pointer: "", rule: "unknown", expected: "only currency, amount, pay, note", keys: ["ammount"] },
  ];
  expect(issuesFor(args, schema, validatorPaths(reported))).toEqual(issues);
  expect(issuesFor(args, schema, [])).toEqual(issues);
});

it("reads what ArkType writes", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      size: { anyOf: [{ const: "large" }, { const: "medium" }, { const: "small" }] },
      age: { type: "integer", minimum: 18 },
      id: {
        anyOf: [
          { type: "string", format: "uuid", pattern: "^[0-9a-f]{8}-.*$" },
          { type: "integer", minimum: 1 },
        ],
      },
      tags: { type: "array", items: { $ref: "#/$defs/tag" }, minItems: 1 },
      flag: { type: "boolean" },
    },
    required: ["age", "id", "size"],
    $defs: { tag: { type: "string", pattern: "^[a-z]+$" } },
  };
  const args = { size: "midium", age: 17.5, id: 0, tags: ["ok", "No"], flag: "yes" };
  const reported = [["age"], ["flag"], ["id"], ["size"], ["tags", 1]].map((path) => ({ path }));
  const size = {
    pointer: "/size",
    rule: "choice",
    expected: "one of large, medium, small",
    suggestion: "medium",
    code: "invalid_union",
  };
  const age = { pointer: "/age", rule: "type", expected: "an integer of at least 18" };
  const id = { pointer: "/id", rule: "range", expected: "an integer of at least 1", code: "too_small" };
  const tag = { pointer: "/tags/1", rule: "format", expected: "text matching ^[a-z]+$" };
  const flag = { pointer: "/flag", rule: "type", expected: "true or false" };
  expect(issuesFor(args, schema, validatorPaths(reported))).toEqual([age, flag, id, size, tag]);
  expect(issuesFor(args, schema, [])).toEqual([size, age, id, tag, flag]);
});

it("finds the rest where a validator stops at the first error, or names no place at all", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a", "b"] };
  const issues = [
    { pointer: "/a", rule: "required", expected: "a string" },
    { pointer: "/b", rule: "required", expected: "a string" },
  ];
  expect(issuesFor({}, schema, validatorPaths([{ message: "data must have required property 'a'" }]))).toEqual(issues);
  expect(issuesFor({}, schema, validatorPaths([{ instanceLocation: "#", keyword: "required" }]))).toEqual(issues);
});
