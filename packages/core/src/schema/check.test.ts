import { expect, it } from "vitest";
import { issuesFor } from "./issues.ts";

/** What the checker finds without paths of a validator, as one line for each issue. */
function found(schema: object, args: unknown): string[] {
  return issuesFor(args, schema as Record<string, unknown>, []).map(({ pointer, rule, expected, suggestion }) =>
    [pointer, rule, expected, suggestion === undefined ? undefined : `${suggestion}?`].filter(Boolean).join(" | "),
  );
}

const of = (a: object, rest: object = {}) => ({ type: "object", properties: { a }, ...rest });

it.each<[schema: object, args: unknown, lines: readonly string[]]>([
  [of({ type: "string" }), { a: 1 }, ["/a | type | a string"]],
  [of({ type: "integer" }), { a: 1.5 }, ["/a | type | an integer"]],
  [of({ const: 5 }), { a: 6 }, ["/a | choice | exactly 5"]],
  [of({ const: { x: [1] } }), { a: { x: [2] } }, ["/a | choice"]],
  [of({ enum: ["on", "off"] }), { a: "OFF " }, ["/a | choice | one of on, off | off?"]],
  [of({ oneOf: [{ const: "on" }, { const: "off" }] }), { a: 1 }, ["/a | choice | one of on, off"]],
  [of({ minimum: 0, exclusiveMinimum: true }), { a: 0 }, ["/a | range | a number above 0"]],
  [of({ type: "number", multipleOf: 0.1 }), { a: 0.35 }, ["/a | range | a multiple of 0.1"]],
  [of({ type: "string", maxLength: 2 }), { a: "😀😀😀" }, ["/a | length | at most 2 characters"]],
  [of({ type: "string", pattern: "^x" }), { a: "y" }, ["/a | format | text matching ^x"]],
  [of({ type: "string", format: "uri" }), { a: "y" }, ["/a | format | a URI with a scheme"]],
  [
    of({ minLength: 3, pattern: "^x" }),
    { a: "y" },
    ["/a | length | at least 3 characters", "/a | format | text matching ^x"],
  ],
  [of({ uniqueItems: true }), { a: [{ x: 1, y: 2 }, 1, { y: 2, x: 1 }] }, ["/a/2 | duplicate | items that differ"]],
  [
    of({ items: { type: "integer" } }),
    { a: [1, "x", 2, "y"] },
    ["/a/1 | type | an integer", "/a/3 | type | an integer"],
  ],
  [
    of({ prefixItems: [{ type: "integer" }], items: { type: "string" } }),
    { a: ["x", 1] },
    ["/a/0 | type | an integer", "/a/1 | type | a string"],
  ],
  [of({ prefixItems: [{}], items: false }), { a: [1, 2] }, ["/a | length | an array of at most 1 item"]],
  [
    of({ items: [{ type: "integer" }], additionalItems: false }),
    { a: ["x", 2] },
    ["/a | length | an array of at most 1 item", "/a/0 | type | an integer"],
  ],
  [
    of({ patternProperties: { "^x-": { type: "string" } } }),
    { a: { "x-mine": 1 } },
    ["/a | type | a string for each value"],
  ],
  [of({ additionalProperties: { type: "string" } }), { a: { mine: 1 } }, ["/a | type | a string for each value"]],
  [of({ propertyNames: { pattern: "^[a-z]+$" } }), { a: { MINE: 1 } }, ["/a | unknown | no keys"]],
  [of({ type: "object", minProperties: 2 }), { a: { x: 1 } }, ["/a | length | an object with at least 2 keys"]],
  [of({}, { additionalProperties: false }), { mine: 1 }, [" | unknown | only a"].map((line) => line.trim().slice(2))],
  [{ required: ["b"] }, {}, ["/b | required"]],
  [{ ...of({ $ref: "#/$defs/n" }), $defs: { n: { type: "number" } } }, { a: "x" }, ["/a | type | a number"]],
  [of({ $ref: "#/$defs/gone" }), { a: "x" }, []],
  [of(false as never), { a: 1 }, ["/a | custom"]],
  [
    { allOf: [of({ type: "string" }), { required: ["a", "b"], properties: { b: { type: "null" } } }] },
    {},
    ["/b | required | null", "/a | required | a string"],
  ],
  [of({ type: "string", nullable: true }), { a: null }, []],
  [
    of({
      anyOf: [
        { type: "string", format: "uuid" },
        { type: "string", format: "email" },
      ],
    }),
    { a: "x" },
    ["/a | format | a UUID or an email address"],
  ],
  [
    of({ anyOf: [of({ type: "string" }, { required: ["a", "b", "c"] }), of({ type: "string" })] }),
    { a: { a: 1 } },
    ["/a/a | type | a string"],
  ],
  [of({ not: { type: "null" } }), { a: null }, ["/a | custom | anything but null"]],
  [
    of({ oneOf: [{ type: "integer" }, { minimum: 2 }] }),
    { a: 3 },
    ["/a | custom | a value that fits only one of the alternatives"],
  ],
  [
    of({ contains: { type: "string" }, minContains: 2 }),
    { a: ["x", 1] },
    ["/a | custom | an array with at least 2 items of this kind: a string"],
  ],
  [
    { properties: { a: {}, b: { type: "string" } }, dependentRequired: { a: ["b"] } },
    { a: 1 },
    ["/b | required | a string"],
  ],
  [{ properties: { limit: {} }, patternProperties: { "^lim": false } }, { limt: 1 }, ["unknown | limit?"]],
  [
    { anyOf: [of({ type: "string" }, { additionalProperties: false }), { required: ["c", "d"] }] },
    { a: "x", other: 1 },
    ["unknown | only a"],
  ],
  [
    of({ enum: Array.from({ length: 1e5 }, (_, index) => index) }),
    { a: "x" },
    [
      "/a | choice | one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25 and 99974 more",
    ],
  ],
  [of({ anyOf: [{ type: "string" }, { type: "array" }] }), { a: 1 }, ["/a | type | a string or an array"]],
])("finds what %j says about %j", (schema, args, lines) => {
  expect(found(schema, args)).toEqual(lines);
});

it("follows a condition", () => {
  const schema = {
    properties: { kind: { enum: ["card", "cash"] }, number: { type: "string", minLength: 4 } },
    if: { properties: { kind: { const: "card" } }, required: ["kind"] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: { required: ["number"] },
    else: { properties: { change: { type: "number" } } },
  };
  expect(found(schema, { kind: "card" })).toEqual(["/number | required | a string of at least 4 characters"]);
  expect(found(schema, { kind: "cash" })).toEqual([]);
  expect(found(schema, { change: "x" })).toEqual(["/change | type | a number"]);
});

it("lists the first twenty, each once", () => {
  const properties = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`k${index}`, { type: "string" }]));
  const schema = { type: "object", properties, required: Object.keys(properties) };
  const lines = found({ allOf: [schema, { ...schema }] }, {});
  expect(lines).toHaveLength(20);
  expect(lines[0]).toBe("/k0 | required | a string");
  expect(lines[19]).toBe("/k19 | required | a string");
});

it("reports misspelt keys one by one, and other unknown keys once", () => {
  const schema = { type: "object", properties: { limit: {}, offset: {} }, additionalProperties: false };
  expect(found(schema, { limt: 1, ofset: 1, x: 1, y: 2 })).toEqual([
    "unknown | limit?",
    "unknown | offset?",
    "unknown | only limit, offset",
  ]);
});
