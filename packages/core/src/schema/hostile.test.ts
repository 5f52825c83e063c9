import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, it } from "vitest";
import { checkArguments, glanceAtArguments, issuesFor } from "./issues.ts";

type Schema = Record<string, unknown>;
const object = (properties: Schema, rest: Schema = {}): Schema => ({ type: "object", properties, ...rest });

it("ends with references in a ring", () => {
  const schema = {
    $ref: "#/$defs/a",
    $defs: { a: { $ref: "#/$defs/b" }, b: { allOf: [{ $ref: "#/$defs/a" }, { required: ["x"] }] } },
  };
  expect(issuesFor({}, schema, [])).toEqual([{ pointer: "/x", rule: "required" }]);
  expect(issuesFor({}, { anyOf: [{ $ref: "#" }] }, [])).toEqual([]);
});

it("ends with a schema and arguments that hold themselves", () => {
  const schema = object({ name: { type: "string" } }, { required: ["name"] });
  (schema["properties"] as Schema)["next"] = schema;
  const args: Schema = { name: "a" };
  args["next"] = args;
  expect(issuesFor(args, schema, [])).toEqual([]);
  args["name"] = 1;
  const issues = issuesFor(args, schema, []);
  expect(issues).toHaveLength(20);
  expect(issues[0]).toEqual({ pointer: "/name", rule: "type", expected: "a string" });
});

it("runs no getter and survives what throws when it is looked at", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const trap = {
    get a(): never {
      throw new Error("no");
    },
  };
  const schema = object({ a: { type: "string" }, b: { type: "string" } }, { required: ["a", "b"] });
  expect(issuesFor({ ...{ b: proxy } }, schema, [["b"], ["b", "c"]])).toEqual([
    { pointer: "/b", rule: "type", expected: "a string" },
  ]);
  expect(issuesFor(trap, schema, [["a"]])).toEqual([{ pointer: "/a", rule: "required", expected: "a string" }]);
  expect(issuesFor(proxy, schema, [["b"]])).toEqual([{ pointer: "/b", rule: "required", expected: "a string" }]);
  expect(issuesFor({}, proxy as Schema, [["a"]])).toEqual([{ pointer: "", rule: "custom" }]);
});

it("takes names that mean something to the language for names", () => {
  const schema = object({}, { additionalProperties: false, required: ["constructor"] });
  expect(issuesFor(JSON.parse('{"__proto__":{"a":1}}'), schema, [])).toEqual([
    { pointer: "/constructor", rule: "required" },
    { pointer: "", rule: "unknown", expected: "only constructor", keys: ["__proto__"] },
  ]);
  expect(issuesFor({}, object({}), [["toString"]])).toEqual([{ pointer: "", rule: "custom" }]);
});

const LONG = 5e4;
const many = Array.from({ length: LONG }, (_, index) => index);
const wide = Object.fromEntries(many.map((index) => [`key-${index}`, 1]));
const names = Object.keys(wide);

it.each<[string, Schema, unknown]>([
  ["items", object({ a: { items: { type: "integer" } } }), { a: many }],
  ["items that are wrong", object({ a: { items: { type: "string" } } }), { a: many }],
  ["items that differ", object({ a: { uniqueItems: true } }), { a: many }],
  ["choices", object({ a: { items: { enum: names } } }), { a: names.map((name) => `${name}x`) }],
  ["unknown keys", object({ a: {} }, { additionalProperties: false }), wide],
  ["unknown keys beside many known", object(wide, { additionalProperties: false }), { "kye-1": 1, other: 2 }],
  [
    "unknown keys of many objects",
    object({ a: { items: object(wide, { additionalProperties: false }) } }),
    { a: many.map(() => ({ x: 1, y: 2 })) },
  ],
  ["required keys", { type: "object", required: names }, {}],
  ["keys tried with patterns", { patternProperties: { "^.*x.*$": { type: "string" } } }, wide],
  ["branches", { anyOf: names.map((name) => ({ required: [name] })) }, {}],
  ["branches in branches", nest(12), { a: 1 }],
  [
    "a long text",
    object({ a: { type: "string", minLength: 5, maxLength: 9, pattern: "^(a+)+$" } }),
    { a: "a".repeat(1e6) },
  ],
  [
    "a slow pattern",
    object({ a: { items: { type: "string", pattern: "^(?:a|a)*b$" } } }),
    { a: many.map(() => "a".repeat(400)) },
  ],
  [
    "a costly pattern",
    object({ a: { items: { type: "string", pattern: "^a*a*b$" } } }),
    { a: many.map(() => "a".repeat(500)) },
  ],
])("does bounded work on very many %s", async (_, schema, args) => {
  await expectCost({
    work: () => {
      expect(issuesFor(args, schema, []).length).toBeLessThanOrEqual(20);
      issuesFor(args, schema, [["a"], ["a", LONG - 1], ["key-7"]]);
    },
    yardstick: () => JSON.parse(JSON.stringify(wide)),
    // The costliest takes 20 times, and more beside other work. Without bounds it would be thousands.
    atMost: 90,
  });
});

/** A choice of two choices of two, and so on: 2 to the power of its depth branches. */
function nest(depth: number): Schema {
  const inner: Schema = depth === 0 ? object({ a: { type: "string" } }) : nest(depth - 1);
  return { anyOf: [inner, { allOf: [inner] }] };
}

it("does not follow schemas and arguments of great depth", () => {
  let [schema, args]: [Schema, unknown] = [{ type: "string" }, 1];
  for (let depth = 0; depth < 10_000; depth++) [schema, args] = [object({ a: schema }), { a: args }];
  expect(issuesFor(args, schema, [])).toEqual([]);
  expect(issuesFor(args, schema, [Array.from({ length: 10_000 }, () => "a")])).toHaveLength(1);
});

/** Two branches that both lead back to the union, so that each level doubles the ways to check the next. */
const TWICE: Schema = {
  $ref: "#/$defs/a",
  $defs: {
    a: {
      anyOf: [
        object({ x: { $ref: "#/$defs/a" } }, { required: ["x", "y"] }),
        object({ x: { $ref: "#/$defs/a" } }, { required: ["x"] }),
        { type: "integer" },
      ],
    },
  },
};

const nested = (depth: number, leaf: unknown): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ x: inner }), leaf);

it.each([4, 8, 12])("checks arguments of a recursive union %i levels deep to their end", (depth) => {
  expect(checkArguments(nested(depth, 1), TWICE)).toEqual([]);
  expect(checkArguments(nested(depth, "wrong"), TWICE)).toMatchObject([{ pointer: "/x".repeat(depth), rule: "type" }]);
});

/** A schema of twice as many branches on each level, and no two ways lead to the same. */
function costly(depth: number): Schema {
  const branch = (): Schema => object({ x: depth === 0 ? { type: "null" } : costly(depth - 1) });
  return { anyOf: [branch(), { ...branch(), minProperties: 2 }] };
}

it.each<[string, Schema, unknown]>([
  ["that double on each level", costly(14), nested(15, "wrong")],
  ["of a recursive union, many levels deep", TWICE, nested(30, "wrong")],
  ["of great depth", { type: "object", properties: { x: { $ref: "#" } } }, nested(1_000, "wrong")],
  [
    "with very many items",
    object({ x: { items: { type: "integer" } } }),
    { x: [...many, ...many, ...many, ...many, "wrong"] },
  ],
])("refuses arguments %s, since it cannot check them to their end", (_, schema, args) => {
  expect(checkArguments(args, schema)).toEqual([
    { pointer: "", rule: "custom", expected: "arguments with fewer values, or less nested ones" },
  ]);
  // Only the validator that refused them knows why.
  expect(issuesFor(args, schema, [])).toEqual([]);
  expect(glanceAtArguments(args, schema)).toEqual([]);
});

it("follows conditions that lead back to themselves", () => {
  const again = { properties: { x: { $ref: "#" } } };
  const schema = {
    ...again,
    type: ["object", "integer"],
    if: again,
    else: again,
    not: { ...again, type: "object", minProperties: 2 },
  };
  expect(checkArguments(nested(6, 1), schema)).toEqual([]);
  expect(checkArguments(nested(6, "wrong"), schema)).not.toEqual([]);
});

it("finds what is wrong at each place with the same value", () => {
  const shared = { x: "wrong" };
  expect(checkArguments({ x: { x: shared } }, TWICE)).toMatchObject([{ pointer: "/x/x/x" }]);
  const both = object(
    { a: { $ref: "#/$defs/o" }, b: { $ref: "#/$defs/o" } },
    { $defs: { o: object({ x: { type: "integer" } }) } },
  );
  expect(checkArguments({ a: shared, b: shared }, both).map(({ pointer }) => pointer)).toEqual(["/a/x", "/b/x"]);
});

it("takes items that are too large to compare for different ones", () => {
  const large = () => ["x".repeat(1e5)];
  expect(issuesFor({ a: [large(), large()] }, object({ a: { uniqueItems: true } }), [])).toEqual([]);
  expect(issuesFor({ a: large() }, object({ a: { enum: [large()] } }), [])).toEqual([]);
});
