import { expect, test } from "vitest";
import { toSdkSchema } from "./sdk.ts";

const SCHEMA = { type: "object", properties: { "a/b": { type: "integer" } }, additionalProperties: false };
const SECRET = "hunter2-hunter2";

test("both forms accept the same values and report the same issues, never the value", () => {
  const { "~standard": standard, _zod: zod } = toSdkSchema(SCHEMA);
  const fine = { "a/b": 1 };
  expect(standard.validate(fine)).toEqual({ value: fine });
  expect(zod.run({ value: fine, issues: [] })).toEqual({ value: fine, issues: [] });
  const told = [{ path: ["a/b"], message: "type: an integer" }];
  expect(standard.validate({ "a/b": SECRET })).toEqual({ issues: told });
  expect(zod.run({ value: { "a/b": SECRET }, issues: [] }).issues).toEqual([{ ...told[0], code: "custom" }]);
});

test("both forms publish the schema itself", () => {
  const { "~standard": standard, _zod: zod } = toSdkSchema(SCHEMA);
  expect(standard.jsonSchema.input()).toBe(SCHEMA);
  expect(zod.toJSONSchema()).toEqual(SCHEMA);
  expect(zod.toJSONSchema()).not.toBe(SCHEMA);
});
