import { expect, test } from "vitest";
import { checkArguments } from "./check-arguments.ts";

const SCHEMA = { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false };

test("arguments that satisfy their schema have no issue", () => {
  expect(checkArguments({ n: 1 }, SCHEMA)).toEqual([]);
});

test("what is wrong is told by place and rule, never by value", () => {
  expect(checkArguments({ n: "hunter2-hunter2" }, SCHEMA)).toEqual([
    { pointer: "/n", rule: "type", expected: "an integer" },
  ]);
  expect(checkArguments({}, SCHEMA)).toMatchObject([{ pointer: "/n", rule: "required" }]);
});
