import { expect, it } from "vitest";
import { issuesFor } from "./issues.ts";

type Schema = Record<string, unknown>;
const object = (properties: Schema, rest: Schema = {}): Schema => ({ type: "object", properties, ...rest });

/** The result of a function, and the processor time that it took, which other work on the machine does not change. */
function timed<T>(run: () => T): { result: T; ms: number } {
  const from = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(from);
  return { result, ms: (user + system) / 1_000 };
}

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

const LONG = 1e5;
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
])("does bounded work on 100 000 %s", (_, schema, args) => {
  const { result, ms } = timed(() => [
    issuesFor(args, schema, []),
    issuesFor(args, schema, [["a"], ["a", 99_999], ["key-7"]]),
  ]);
  expect(result[0]?.length).toBeLessThanOrEqual(20);
  expect(ms).toBeLessThan(3_000);
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
