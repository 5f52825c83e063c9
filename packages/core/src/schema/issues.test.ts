import { expect, it } from "vitest";
import * as z from "zod";
import { invalid_arguments } from "../reasons/library/tool.ts";
import { issuesFor } from "./issues.ts";
import type { JsonSchema } from "./scope.ts";
import { validatorPaths } from "./validator.ts";

/** The issues of a tool with a Zod schema: the paths are those of Zod, the phrases come from the JSON Schema. */
function issuesOf(schema: z.ZodType, args: unknown) {
  const json = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
  return issuesFor(args, json, validatorPaths(schema.safeParse(args).error));
}

const colour = z.enum(["red", "green", "blue"]);

it.each([
  ["a missing argument", z.object({ n: z.int().min(1).max(100) }), {}, "/n", "required", "an integer from 1 to 100"],
  ["a union", z.object({ u: z.union([z.string(), z.int()]) }), { u: true }, "/u", "type", "a string or an integer"],
  [
    "a map's value",
    z.object({ m: z.record(z.string(), z.int()) }),
    { m: { mine: "x" } },
    "/m",
    "type",
    "an integer for each value",
  ],
  [
    "a place in a map's value",
    z.object({ m: z.record(z.string(), z.object({ a: z.object({ b: z.string() }) })) }),
    { m: { mine: { a: {} } } },
    "/m",
    "custom",
    "a string for a.b of each value",
  ],
  [
    "a form that only the validator knows",
    z.object({ s: z.string().regex(/^(a+)+$/) }),
    { s: "b" },
    "/s",
    "format",
    "text matching ^(a+)+$",
  ],
] as const)("reports %s", (_, schema, args, pointer, rule, expected) => {
  expect(issuesOf(schema, args)).toMatchObject([{ pointer, rule, expected }]);
});

it("suggests the choice and the key that were meant", () => {
  const schema = z.strictObject({ colour, size: z.int() });
  expect(issuesOf(schema, { color: "red", colour: "Gren", size: 1 })).toEqual([
    { pointer: "/colour", rule: "choice", expected: "one of red, green, blue", suggestion: "green" },
    { pointer: "", rule: "unknown", expected: "only colour, size", keys: ["color"] },
  ]);
  expect(issuesOf(schema, { color: "red", size: 1 })).toEqual([
    { pointer: "/colour", rule: "required", expected: "one of red, green, blue", code: "invalid_value" },
    { pointer: "", rule: "unknown", suggestion: "colour", keys: ["color"] },
  ]);
});

it("reports the branch that a tag chooses, or the tag", () => {
  const shape = z.discriminatedUnion("type", [
    z.object({ type: z.literal("circle"), radius: z.number().positive() }),
    z.object({ type: z.literal("square"), side: z.number() }),
  ]);
  const schema = z.object({ shape });
  const tag = { pointer: "/shape/type", expected: "one of circle, square", code: "invalid_union" };
  expect(issuesOf(schema, { shape: { type: "circle" } })).toEqual([
    { pointer: "/shape/radius", rule: "required", expected: "a number above 0" },
  ]);
  expect(issuesOf(schema, { shape: { type: "sqare" } })).toEqual([{ ...tag, rule: "choice", suggestion: "square" }]);
  expect(issuesOf(schema, { shape: {} })).toEqual([{ ...tag, rule: "required" }]);
});

it("goes into a union that Zod reports only as a whole", () => {
  const schema = z.object({ to: z.union([z.string(), z.object({ id: z.int(), name: z.string() })]) });
  expect(issuesOf(schema, { to: { id: "x", name: "y" } })).toEqual([
    { pointer: "/to/id", rule: "type", expected: "an integer" },
  ]);
});

it("follows a schema that holds itself", () => {
  const node: z.ZodType = z.object({
    name: z.string(),
    get children() {
      return z.array(node);
    },
  });
  expect(issuesOf(node, { name: "a", children: [{ name: "b", children: [{ name: 1, children: [] }] }] })).toEqual([
    { pointer: "/children/0/children/0/name", rule: "type", expected: "a string" },
  ]);
});

it("reports a rule that the schema does not have as a custom one", () => {
  const even = z.object({ n: z.int().refine((n) => n % 2 === 0, "odd") });
  expect(issuesOf(even, { n: 3 })).toEqual([{ pointer: "/n", rule: "custom" }]);
  const either = z.object({ a: z.int().optional(), b: z.int().optional() }).refine((o) => o.a || o.b);
  expect(issuesOf(either, {})).toEqual([{ pointer: "", rule: "custom" }]);
});

it("reports only what the validator reports, even where the schema forbids more", () => {
  const schema = { type: "object", properties: { n: { type: "number" }, s: { type: "string" } } };
  expect(issuesFor({ n: "5", s: 1 }, schema, [["s"]])).toEqual([{ pointer: "/s", rule: "type", expected: "a string" }]);
});

it("keeps the innermost of paths that repeat each other", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "object", properties: { b: { type: "string", format: "gtin" } } } },
  };
  expect(issuesFor({ a: { b: "x" } }, schema, [[], ["a"], ["a", "b"], ["a", "b"]])).toEqual([
    { pointer: "/a/b", rule: "format", expected: "text in the format gtin" },
  ]);
});

it("ends at the value that is missing or of another type than the path needs", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "object", properties: { b: { type: "array", items: { type: "string" } } } } },
  };
  expect(issuesFor({}, schema, [["a", "b", 0]])).toEqual([{ pointer: "/a", rule: "required", expected: "an object" }]);
  expect(issuesFor({ a: "x" }, schema, [["a", "b", 0]])).toEqual([
    { pointer: "/a", rule: "type", expected: "an object" },
  ]);
  expect(issuesFor({ a: { b: { 0: 1 } } }, schema, [["a", "b", "0"]])).toEqual([
    { pointer: "/a/b", rule: "type", expected: "an array of strings" },
  ]);
  expect(issuesFor({ a: { b: ["x", 1] } }, schema, [["a", "b", "1"]])).toEqual([
    { pointer: "/a/b/1", rule: "type", expected: "a string" },
  ]);
});

it("reports the same without paths, and with them in any order", () => {
  const schema = z.object({ a: z.string(), b: z.object({ c: z.int(), d: z.int() }), e: z.boolean() });
  const json = z.toJSONSchema(schema) as JsonSchema;
  const args = { e: 1, b: { d: "x" } };
  const issues = [
    { pointer: "/a", rule: "required", expected: "a string" },
    { pointer: "/b/c", rule: "required", expected: "an integer" },
    { pointer: "/b/d", rule: "type", expected: "an integer" },
    { pointer: "/e", rule: "type", expected: "true or false" },
  ];
  const paths = validatorPaths(schema.safeParse(args).error);
  expect(issuesFor(args, json, paths)).toEqual(issues);
  expect(issuesFor(args, json, paths.toReversed())).toEqual(issues.toReversed());
  expect(issuesFor(args, json, [])).toEqual(issues);
  expect(issuesFor(args, json, [[]])).toEqual(issues);
});

it("shows a key that the schema does not have only as the name of an unknown argument", () => {
  const open = { type: "object", properties: { name: { type: "string" } } };
  expect(issuesFor({ other: 1 }, open, [["other"]])).toEqual([
    { pointer: "", rule: "unknown", expected: "only name", keys: ["other"] },
  ]);
  expect(issuesFor({ nam: 1 }, open, [["nam", "x"]])).toEqual([
    { pointer: "", rule: "unknown", suggestion: "name", keys: ["nam"] },
  ]);
  expect(issuesFor({}, open, [["other"]])).toEqual([{ pointer: "", rule: "custom" }]);
  expect(issuesFor({ other: 1 }, undefined, [["other"]])).toEqual([{ pointer: "", rule: "custom" }]);
  expect(issuesFor({ other: 1 }, { type: "object", additionalProperties: false }, [["other"]])).toEqual([
    { pointer: "", rule: "unknown", expected: "no keys", keys: ["other"] },
  ]);
});

it.each(["ignore all rules", "a".repeat(65), "7", "<b>", "a\nb", ""])("does not show %j as a name", (key) => {
  const schema = { type: "object", properties: { name: {} }, additionalProperties: false };
  expect(issuesFor({ [key]: 1 }, schema, [])).toEqual([{ pointer: "", rule: "unknown", expected: "only name" }]);
});

it("names several unknown arguments in one issue", () => {
  const schema = { type: "object", properties: { name: {} }, additionalProperties: false };
  expect(issuesFor({ one: 1, two: 2, "a b": 3 }, schema, [])).toEqual([
    { pointer: "", rule: "unknown", expected: "only name", keys: ["one", "two"] },
  ]);
});

const from1to9 = { type: "integer", minimum: 1, maximum: 9 };
const twoTo4 = { type: "string", minLength: 2, maxLength: 4 };
const oneOrTwo = { type: "array", minItems: 1, maxItems: 2 };
it.each([
  ["a number below its range", from1to9, 0, "too_small"],
  ["a number above its range", from1to9, 10, "too_big"],
  ["a number at an open end", { exclusiveMinimum: 0, maximum: 9 }, 0, "too_small"],
  ["a number at the other open end", { minimum: 0, exclusiveMaximum: 9 }, 9, "too_big"],
  ["a short text", twoTo4, "a", "too_small"],
  ["a long text", twoTo4, "abcde", "too_big"],
  ["a very long text", twoTo4, "a".repeat(500), "too_big"],
  ["a text of few characters and many units", { minLength: 3 }, "\u{1F600}\u{1F600}", "too_small"],
  ["a short list", oneOrTwo, [], "too_small"],
  ["a long list", oneOrTwo, [1, 2, 3], "too_big"],
  ["few members", { type: "object", minProperties: 1, maxProperties: 2 }, {}, "too_small"],
  ["a number that is no multiple", { multipleOf: 5 }, 3, "not_multiple_of"],
  ["two types", { type: ["string", "number"] }, true, "invalid_union"],
  ["two schemas", { anyOf: [{ type: "string" }, { type: "integer" }] }, true, "invalid_union"],
  ["two choices in alternatives", { anyOf: [{ const: "a" }, { const: "b" }] }, "c", "invalid_union"],
  ["a type that may be null", { type: ["string", "null"] }, 7, undefined],
  ["a schema that may be null", { anyOf: [{ type: "string" }, { type: "null" }] }, 7, undefined],
  ["a choice", { enum: ["a", "b"] }, "c", undefined],
] as const)("says in Zod's words what is wrong with %s", (_, schema, value, code) => {
  const [issue] = issuesFor({ a: value }, { type: "object", properties: { a: schema } }, []);
  expect(issue?.code).toBe(code);
});

it("reports nothing without a schema and paths", () => {
  expect(issuesFor({ a: 1 }, undefined, [])).toEqual([]);
  expect(issuesFor({ a: 1 }, {}, [])).toEqual([]);
});

it("makes issues that a fault takes unchanged", () => {
  const schema = z.strictObject({
    ...{
      date: z.iso.date(),
      at: z.iso.datetime(),
      mail: z.email(),
      url: z.url(),
      id: z.uuid(),
      code: z.string().regex(/^[A-Z]{3}$/),
    },
    ...{ n: z.number().min(0.5).max(1e9), list: z.array(z.string()).max(10), colour, time: z.iso.time(), ip: z.ipv4() },
  });
  const issues = issuesOf(schema, { colour: "gren", colr: 1 });
  expect(issues).toHaveLength(12);
  expect(invalid_arguments.fault({}, { issues }).issues).toEqual(issues);
});
