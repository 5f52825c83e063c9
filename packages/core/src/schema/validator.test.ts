import { runs } from "@recourse/test-kit/runs";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { validatorPaths } from "./validator.ts";

it("reads the issues of Zod 4, as an error, a list or a standard result", () => {
  const schema = z.object({ a: z.array(z.object({ b: z.string() })), c: z.strictObject({ d: z.string() }) });
  const args = { a: [{ b: 1 }], c: { d: "x", e: 1, f: 2 } };
  const paths = [
    ["a", 0, "b"],
    ["c", "e"],
    ["c", "f"],
  ];
  expect(validatorPaths(schema.safeParse(args).error)).toEqual(paths);
  expect(validatorPaths(schema.safeParse(args).error?.issues)).toEqual(paths);
  expect(validatorPaths(schema["~standard"].validate(args))).toEqual(paths);
});

it("reads the issues of Zod 3", () => {
  const schema = z3.z.object({ a: z3.z.string(), c: z3.z.object({ d: z3.z.string() }).strict() });
  expect(validatorPaths(schema.safeParse({ c: { d: "x", e: 1 } }).error)).toEqual([["a"], ["c", "e"]]);
});

it("reads the errors of Ajv", () => {
  const validate = new Ajv({ allErrors: true }).compile({
    type: "object",
    properties: { a: { type: "array", items: { type: "string" } }, "b/c": { type: "integer" } },
    required: ["a", "d"],
    additionalProperties: false,
  });
  validate({ a: ["x", 1], "b/c": "x", e: 1 });
  expect(validatorPaths(validate.errors)).toEqual([["d"], ["e"], ["a", "1"], ["b/c"]]);
});

it("reads segments that hold a key, as Valibot has them, and pointers in the form of a fragment", () => {
  const path = [
    { type: "object", origin: "value", key: "a" },
    { type: "array", origin: "value", key: 2 },
  ];
  expect(validatorPaths([{ kind: "schema", path }])).toEqual([["a", 2]]);
  expect(validatorPaths([{ instanceLocation: "#/a%20b/0", keyword: "type" }])).toEqual([["a b", "0"]]);
  expect(validatorPaths([{ instanceLocation: "#/%" }])).toEqual([["%"]]);
});

it("takes an issue without a path for one of the whole", () => {
  expect(validatorPaths([{ message: "no" }, { path: undefined }])).toEqual([[], []]);
});

it("ends a path at what is no key", () => {
  expect(validatorPaths([{ path: ["a", Symbol("b"), "c"] }])).toEqual([["a"]]);
});

it("runs no getter", () => {
  const issue = {
    get path(): never {
      throw new Error("no");
    },
  };
  expect(validatorPaths([issue])).toEqual([[]]);
});

it.each([undefined, null, 7, "x", {}, { issues: 7 }, [7, null, "x"]])("finds none in %j", (value) => {
  expect(validatorPaths(value)).toEqual([]);
});

it("is bounded", () => {
  const keys = Array.from({ length: 1000 }, (_, index) => `k${index}`);
  expect(validatorPaths(Array.from({ length: 1e5 }, () => ({ path: ["a"] })))).toHaveLength(100);
  expect(validatorPaths([{ code: "unrecognized_keys", path: [], keys }])).toHaveLength(64);
  expect(validatorPaths([{ path: keys }])[0]).toHaveLength(64);
});

it("never throws", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
      for (const path of validatorPaths([value, { path: value }, { instancePath: value, params: value }]))
        for (const key of path) expect(typeof key).toMatch(/^(?:string|number)$/);
    }),
    { numRuns: runs() },
  );
});
