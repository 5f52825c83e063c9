import { expect, it } from "vitest";
import { issuesFor } from "./issues.ts";
import { validatorPaths } from "./validator.ts";

it("finds the rest where a validator stops at the first error, or names no place at all", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a", "b"] };
  const issues = [
    { pointer: "/a", rule: "required", expected: "a string" },
    { pointer: "/b", rule: "required", expected: "a string" },
  ];
  expect(issuesFor({}, schema, validatorPaths([{ message: "data must have required property 'a'" }]))).toEqual(issues);
  expect(issuesFor({}, schema, validatorPaths([{ instanceLocation: "#", keyword: "required" }]))).toEqual(issues);
});
