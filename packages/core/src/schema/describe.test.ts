import { expect, it } from "vitest";
import { describeSchema } from "./describe.ts";
import { startScope } from "./scope.ts";

const phraseOf = (schema: unknown) => describeSchema(startScope(schema), schema);

it.each([
  ["a string", { type: "string" }],
  ["a string that is not empty", { type: "string", minLength: 1 }],
  ["a string of at least 8 characters", { type: "string", minLength: 8 }],
  ["a string of 8 to 64 characters", { type: "string", minLength: 8, maxLength: 64 }],
  ["a string of at most 1 character", { minLength: 0, maxLength: 1 }],
  ["a string of exactly 3 characters", { allOf: [{ minLength: 3 }, { type: "string", maxLength: 3 }] }],
  ["text matching ^[A-Z]{3}$", { type: "string", pattern: "^[A-Z]{3}$" }],
  ["text matching the pattern in the schema", { type: "string", pattern: "a".repeat(81) }],
  ["text matching ^ab.*", { type: "string", format: "starts_with", pattern: "^ab.*" }],
  ["an email address", { type: "string", format: "email", pattern: "^.+@.+$" }],
  ["an integer from 1 to 100", { type: "integer", minimum: 1, maximum: 100 }],
  ["an integer", { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }],
  ["an integer of at least 1", { type: "integer", exclusiveMinimum: 0 }],
  ["a number above 0", { type: "number", exclusiveMinimum: 0 }],
  ["a number above 0 and of at most 1", { type: "number", minimum: 0, exclusiveMinimum: true, maximum: 1 }],
  ["a number of at least 0 and below 1", { minimum: 0, exclusiveMaximum: 1 }],
  ["an integer, a multiple of 5", { type: "integer", multipleOf: 5 }],
  ["true or false", { type: "boolean" }],
  ["null", { type: "null" }],
  ["an array", { type: "array" }],
  ["an array of strings", { type: "array", items: { type: "string" } }],
  ["an array of at most 10 items", { type: "array", maxItems: 10 }],
  ["an array of 1 to 5 integers", { type: "array", minItems: 1, maxItems: 5, items: { type: "integer" } }],
  ["an array of exactly 1 string", { type: "array", minItems: 1, maxItems: 1, items: { type: "string" } }],
  ["an object", { type: "object" }],
  ["an object with street, city", { type: "object", required: ["street", "city"] }],
  ["one of red, green, blue", { enum: ["red", "green", "blue"] }],
  ['one of "", "a, b", 1, true, null', { enum: ["", "a, b", 1, true, null] }],
  ["exactly red", { const: "red" }],
  ["one of red, green", { anyOf: [{ const: "red" }, { const: "green", title: "Green" }] }],
  ["one of red, null", { anyOf: [{ enum: ["red"] }, { type: "null" }] }],
  ["one of red, null", { enum: ["red"], nullable: true }],
  ["a string or null", { type: ["string", "null"] }],
  ["a string or null", { type: "string", nullable: true }],
  ["a string or a number", { anyOf: [{ type: "string" }, { type: "number" }] }],
  ["an object with a or an object with b", { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] }],
  ["an integer from 1 to 9", { $ref: "#/$defs/digit", $defs: { digit: { type: "integer", minimum: 1, maximum: 9 } } }],
  ["a UUID", { $ref: "#/definitions/a~1b", definitions: { "a/b": { type: "string", format: "uuid" } } }],
])("describes: %s", (phrase, schema) => {
  expect(phraseOf(schema)).toBe(phrase);
});

it.each([{}, true, undefined, null, 7, { $ref: "#" }, { $ref: "other.json" }, { anyOf: [{}, { type: "string" }] }])(
  "describes nothing where a schema allows anything",
  (schema) => {
    expect(phraseOf(schema)).toBeUndefined();
  },
);

it("lists as many choices as fit, and how many more there are", () => {
  const names = Array.from({ length: 300 }, (_, index) => `choice-${index}`);
  expect(phraseOf({ enum: names })).toBe(
    "one of choice-0, choice-1, choice-2, choice-3, choice-4, choice-5, choice-6, choice-7, choice-8 and 291 more",
  );
});
