import { expect, it } from "vitest";
import { type Conversion, convertSchema, fitSchemas } from "./convert-schema.ts";
import type { Document } from "./document.ts";

const schemas = {
  text: { type: "string", description: "A text.", readOnly: true },
  node: { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/components/schemas/node" } } },
};

function converted(
  node: unknown,
  { version = "3.1" as Document["version"], ...more }: Partial<Conversion & Document> = {},
) {
  const document: Document = { version, root: { components: { schemas } } };
  const walk: Conversion = { document, maxDepth: 8, budget: 1_000, notes: new Set(), ...more };
  return { schema: convertSchema(walk, node), notes: [...walk.notes] };
}
const schema = (node: unknown, more: Partial<Conversion & Document> = {}) => converted(node, more).schema;
const old = { version: "3.0" } as const;

it.each([
  ["true", true, {}],
  ["false", false, { not: {} }],
  ["nonsense", 5, {}],
  ["a type that does not exist", { type: "file" }, {}],
  ["one such type among others", { type: ["string", "file"] }, {}],
  ["foreign keywords", { type: "string", example: "x", xml: {}, "x-y": 1, $id: "z", title: "T" }, { type: "string" }],
  ["formats", { anyOf: [{ format: "uuid" }, { format: "int64" }] }, { anyOf: [{ format: "uuid" }, {}] }],
  ["bounds that are no numbers", { minimum: "1", maxLength: -1, multipleOf: 0 }, {}],
  ["choices", { oneOf: [{ const: 1 }, { const: 2 }] }, { anyOf: [{ const: 1 }, { const: 2 }] }],
  [
    "two unions",
    { oneOf: [{ const: 1 }], anyOf: [{ const: 2 }] },
    { allOf: [{ anyOf: [{ const: 2 }] }, { anyOf: [{ const: 1 }] }] },
  ],
  [
    "a part of which nothing is kept",
    { type: "string", allOf: [{ pattern: "(a+)+$", "x-y": 1 }, { pattern: "^[12]" }, { xml: {} }] },
    { type: "string", allOf: [{ description: "Pattern: (a+)+$" }, { pattern: "^[12]" }] },
  ],
  ["only parts of which nothing is kept", { type: "string", allOf: [{ xml: {} }] }, { type: "string" }],
  ["a choice that cannot be shown", { enum: ["a", "b\u0007"] }, {}],
  ["a default that cannot be shown", { type: "string", default: "a\u202eb" }, { type: "string" }],
  ["a pattern that could stall", { pattern: "^(a+)+$" }, { description: "Pattern: ^(a+)+$" }],
  ["what must not be", { type: "string", not: { const: "x" } }, { type: "string" }],
  ["first items", { prefixItems: [{ const: 1 }], items: false }, { prefixItems: [{ const: 1 }], items: { not: {} } }],
])("converts %s", (_, node, expected) => {
  expect(schema(node)).toEqual(expected);
});

it.each([
  { type: ["string", "null"] },
  { default: ["a", 1] },
  { type: "object", additionalProperties: { type: "integer" } },
])("keeps %j", (node) => {
  expect(schema(node)).toEqual(node);
});

it.each([
  ["nullable", { type: "string", nullable: true }, { type: ["string", "null"] }],
  [
    "a nullable choice",
    { type: "string", enum: ["a"], nullable: true },
    { type: ["string", "null"], enum: ["a", null] },
  ],
  [
    "a nullable union",
    { nullable: true, description: "D", allOf: [{ $ref: "#/components/schemas/node" }] },
    { description: "D", anyOf: [{ allOf: [expect.objectContaining({ type: "object" })] }, { type: "null" }] },
  ],
  ["nullable without a type", { nullable: true }, {}],
  [
    "exclusive flags",
    { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
    { exclusiveMinimum: 1, maximum: 5 },
  ],
  ["a text in base64", { type: "string", format: "byte" }, { type: "string", contentEncoding: "base64" }],
])("converts %s of 3.0", (_, node, expected) => {
  expect(schema(node, old)).toEqual(expected);
});

it("leaves out properties of responses", () => {
  const node = {
    type: "object",
    properties: { id: { readOnly: true }, text: { $ref: "#/components/schemas/text" }, secret: { writeOnly: true } },
    required: ["id", "text", "secret"],
  };
  expect(schema(node)).toEqual({ type: "object", properties: { secret: {} }, required: ["secret"] });
});

it("resolves references, with the keywords beside them", () => {
  const $ref = "#/components/schemas/text";
  expect(schema({ $ref, description: "Better." })).toEqual({ type: "string", description: "Better." });
  expect(schema({ $ref, minLength: 2, description: "Better." })).toEqual({
    description: "Better.",
    allOf: [{ type: "string", description: "A text." }, { minLength: 2 }],
  });
  expect(schema({ $ref, minLength: 2 }, old)).toEqual({ type: "string", description: "A text." });
});

it("leaves references open that cannot be resolved", () => {
  const node = { properties: { a: { $ref: "https://evil.example/a.json", description: "A." } } };
  expect(converted(node)).toEqual({ schema: { properties: { a: { description: "A." } } }, notes: ["unresolved"] });
});

it("cuts schemas that contain themselves or are too deep", () => {
  expect(converted({ $ref: "#/components/schemas/node" })).toEqual({
    schema: { type: "object", properties: { name: { type: "string" }, next: { type: "object" } } },
    notes: ["cut"],
  });
  const deep = { type: "object", properties: { a: { type: "object", properties: { b: { type: "string" } } } } };
  expect(converted(deep, { maxDepth: 1 })).toEqual({
    schema: { type: "object", properties: { a: { type: "object" } } },
    notes: ["cut"],
  });
});

/** A schema that doubles on each of forty levels. */
const doubling: Document = {
  version: "3.1",
  root: {
    level: Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `l${level}`,
        { type: "object", properties: { a: { $ref: `#/level/l${level + 1}` }, b: { $ref: `#/level/l${level + 1}` } } },
      ]),
    ),
  },
};

function count(schema: unknown): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const own = "type" in schema ? 1 : 0;
  return Object.values(schema).reduce((sum: number, child) => sum + count(child), own);
}

it("converts as deep as the limit allows", () => {
  const fitted = fitSchemas(doubling, [{ $ref: "#/level/l0" }], 100);
  expect(count(fitted.schemas)).toBe(63);
  expect([...fitted.notes]).toEqual(["cut"]);
});

it("shares the limit among all schemas of a tool", () => {
  const nodes = Array(3).fill({ $ref: "#/level/l0" });
  const { schemas } = fitSchemas(doubling, nodes, 100);
  expect(schemas.map(count)).toEqual([31, 31, 31]);
});

it("keeps at least the first level of any number of schemas", () => {
  const nodes = Array(200).fill({ type: "object", properties: { a: {} } });
  const { schemas } = fitSchemas(doubling, nodes, 10);
  expect(schemas).toEqual(Array(200).fill({ type: "object" }));
});
