import { expect, it } from "vitest";
import { checkArguments } from "./issues.ts";

// Cases of the official JSON Schema Test Suite (drafts 7 and 2020-12) that this checker once got wrong.

it.each<[string, Record<string, unknown>, unknown[], unknown[]]>([
  ["multipleOf beyond what division can hold", { multipleOf: 0.123456789 }, [0], [1e308]],
  ["every multipleOf of several", { allOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [6, 12], [4, 9]],
  ["exactly one of oneOf", { oneOf: [{ type: "integer" }, { minimum: 2 }] }, [1, 2.5], [3, 1.5]],
  ["oneOf of required keys", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }, [{ a: 1 }], [{ a: 1, b: 1 }, {}]],
  ["oneOf of true and true", { oneOf: [true, true, false] }, [], ["foo"]],
  ["oneOf of the same choices", { oneOf: [{ enum: [1, 2] }, { enum: [2, 3] }] }, [1, 3], [2, 4]],
  [
    "every pattern that a key matchesPattern",
    { patternProperties: { "a*": { type: "integer" }, "aaa*": { maximum: 20 } } },
    [{ a: 21, aaa: 18 }],
    [{ aaaa: 31 }, { a: "b" }],
  ],
  ["a pattern of forbidden keys", { patternProperties: { "f.*": true, "b.*": false } }, [{ foo: 1 }], [{ bar: 2 }]],
  [
    "a pattern beside a property",
    { properties: { foo: { type: "array" } }, patternProperties: { "f.o": { minItems: 2 } } },
    [{ foo: [1, 2] }],
    [{ foo: [] }],
  ],
  ["propertyNames: false", { propertyNames: false }, [{}], [{ foo: 1 }]],
  [
    "propertyNames of known keys",
    { properties: { long: {} }, propertyNames: { maxLength: 3 } },
    [{ abc: 1 }],
    [{ long: 1 }],
  ],
  ["not", { not: { type: "integer" } }, ["foo", 1.5], [1]],
  ["not of several types", { not: { type: ["integer", "boolean"] } }, ["foo"], [1, true]],
  ["not of a nested schema", { not: { properties: { foo: { type: "string" } } } }, [{ foo: 1 }], [{ foo: "bar" }, 1]],
  ["not of everything", { properties: { foo: { not: {} } } }, [{ bar: 1 }], [{ foo: 1 }]],
  ["not of not", { not: { not: { type: "string" } } }, ["foo"], [1]],
  ["contains", { contains: { minimum: 5 } }, [[3, 4, 5], {}], [[2, 3, 4], []]],
  ["contains: false", { contains: false }, ["not an array"], [["any"], []]],
  [
    "minContains",
    { contains: { const: 1 }, minContains: 2 },
    [
      [1, 1],
      [1, 2, 1],
    ],
    [[1], [1, 2]],
  ],
  ["minContains: 0", { contains: { const: 1 }, minContains: 0, maxContains: 1 }, [[], [1], [2, 2]], [[1, 1]]],
  ["maxContains", { contains: { const: 1 }, maxContains: 1 }, [[1], [1, 2]], [[1, 1], []]],
  ["dependentRequired", { dependentRequired: { bar: ["foo"] } }, [{}, { foo: 1 }, { foo: 1, bar: 2 }], [{ bar: 2 }]],
  [
    "dependentSchemas",
    { dependentSchemas: { bar: { properties: { foo: { type: "integer" } } } } },
    [{ foo: 1, bar: 2 }, { foo: "x" }],
    [{ foo: "x", bar: 2 }],
  ],
  ["dependencies of draft 7, a list", { dependencies: { bar: ["foo"] } }, [{ foo: 1 }], [{ bar: 2 }]],
  ["dependencies of draft 7, a schema", { dependencies: { bar: { required: ["foo"] } } }, [{ foo: 1 }], [{ bar: 2 }]],
  [
    "a union of objects with an optional tag",
    { anyOf: [{ properties: { kind: { const: "a" } } }, { properties: { kind: { const: "b" } } }] },
    [{ kind: "a" }, {}],
    [{ kind: "c" }],
  ],
  [
    "an email address in quotation marks",
    { format: "email" },
    ['"joe bloggs"@example.com', '"joe@bloggs"@example.com'],
    ["joe bloggs@example.com"],
  ],
])("follows the standard: %s", (_, schema, valid, invalid) => {
  for (const args of valid) expect(checkArguments(args, schema), JSON.stringify(args)).toEqual([]);
  for (const args of invalid) expect(checkArguments(args, schema), JSON.stringify(args)).not.toEqual([]);
});

// What cannot be checked counts as right, so it must not make `not`, `oneOf` or `if` refuse a value.
const UNTRIED = { pattern: "^(a+)+$" };
const LONG = "b".repeat(60);
it.each<[string, Record<string, unknown>, unknown]>([
  ["a pattern that is not tried, in not", { not: UNTRIED }, LONG],
  ["a pattern that is not tried, in oneOf", { oneOf: [UNTRIED, { type: "string" }] }, LONG],
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  ["a pattern that is not tried, in if", { if: UNTRIED, then: { maxLength: 0 }, else: { type: "null" } }, LONG],
  ["a pattern that is not tried, in maxContains", { contains: UNTRIED, maxContains: 1 }, [LONG, LONG]],
  ["a reference that is not followed, in not", { not: { $ref: "other.json" } }, 1],
  ["a keyword that is not checked, in not", { not: { unevaluatedItems: false } }, [1]],
  ["a key that many patterns may allow", manyPatterns(), { "x-40": 1 }],
])("does not refuse because of %s", (_, schema, args) => {
  expect(checkArguments(args, schema)).toEqual([]);
});

function manyPatterns(): Record<string, unknown> {
  const patterns = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`^x-${index}$`, {}]));
  return { patternProperties: patterns, additionalProperties: false };
}
