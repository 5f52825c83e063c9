import { rowsOf } from "@recourse/test-kit/rows";
import { describe, expect, it } from "vitest";
import { ISSUE_RULES, type Issue } from "../../fault/fault.ts";
import { ZOD_RULES } from "../../fault/zod-codes.ts";
import { fromZod } from "../zod.ts";
import { fromErrors } from "./dialect.ts";
import { toZod, zodCode, zodPath, zodText } from "./encode.ts";
import { ZOD_MESSAGES } from "./table.ts";

describe("Zod codes", () => {
  it("are those of version 4, then those that only version 3 has", () => {
    expect(ZOD_RULES).toEqual({
      invalid_type: "type",
      invalid_format: "format",
      invalid_value: "choice",
      invalid_union: "type",
      invalid_key: "custom",
      invalid_element: "custom",
      too_small: "range",
      too_big: "range",
      not_multiple_of: "range",
      unrecognized_keys: "unknown",
      custom: "custom",
      invalid_string: "format",
      invalid_date: "format",
      invalid_enum_value: "choice",
      invalid_literal: "choice",
      invalid_union_discriminator: "choice",
      invalid_intersection_types: "type",
      invalid_arguments: "custom",
      invalid_return_type: "custom",
      not_finite: "range",
    });
  });

  it.each<[Issue["rule"], string | undefined, string]>([
    ["required", undefined, "invalid_type"],
    ["type", "string", "invalid_type"],
    ["format", "an address", "invalid_format"],
    ["choice", "a, b", "invalid_value"],
    ["unknown", undefined, "unrecognized_keys"],
    ["duplicate", undefined, "custom"],
    ["custom", undefined, "custom"],
    ["range", ">= 1", "too_small"],
    ["range", "at most 9", "too_big"],
    ["range", "less than 9", "too_big"],
    ["range", "1 to 9", "custom"],
    ["range", "no more than 9", "custom"],
    ["range", "a multiple of 5", "not_multiple_of"],
    ["length", "at least 3 characters", "too_small"],
    ["length", "up to 5 items", "too_big"],
    ["length", undefined, "custom"],
  ])("%s, expected %j, is written as %s", (rule, expected, code) => {
    const issue: Issue = { pointer: "/a", rule, ...(expected !== undefined && { expected }) };
    expect(zodCode(issue)).toBe(code);
    const end = ["too_small", "too_big", "not_multiple_of"].includes(code) ? { code } : {};
    expect(fromZod(toZod(issue))).toEqual({ ...issue, rule: code === "custom" ? "custom" : rule, ...end });
  });

  it.each<[Issue["rule"], NonNullable<Issue["code"]>, string, Issue["rule"]]>([
    ["range", "too_small", "too_small", "range"],
    ["range", "too_big", "too_big", "range"],
    ["length", "too_small", "too_small", "length"],
    ["length", "too_big", "too_big", "length"],
    ["type", "invalid_union", "invalid_union", "type"],
    ["choice", "invalid_union", "invalid_union", "choice"],
    ["required", "invalid_value", "invalid_value", "required"],
    ["required", "invalid_union", "invalid_union", "required"],
    ["format", "invalid_union", "invalid_union", "type"],
    ["type", "too_small", "invalid_type", "type"],
    ["unknown", "invalid_union", "unrecognized_keys", "unknown"],
  ])("%s, known as %s, is written as %s and read as %s", (rule, code, written, read) => {
    const issue: Issue = { pointer: "/a", rule, expected: "1 to 9", code };
    expect(toZod(issue)["code"]).toBe(written);
    expect(fromZod(toZod(issue)).rule).toBe(read);
  });

  it("have a message for every rule", () => {
    expect(Object.keys(ZOD_MESSAGES).sort()).toEqual([...ISSUE_RULES].sort());
    expect(new Set(Object.values(ZOD_MESSAGES)).size).toBe(ISSUE_RULES.length);
  });
});

// What the two versions of Zod really write, in full and reduced to what the system's page promises.
const REAL = rowsOf<[value: Record<string, unknown>, issue: Issue]>(import.meta.url, "zod");

describe("Zod issues", () => {
  it.each(REAL)("%j is %j", (value, issue) => {
    expect(fromZod(value)).toEqual(issue);
  });

  it("are written with path, message and code", () => {
    expect(toZod({ pointer: "/items/0/a~1b", rule: "type", expected: "string" })).toEqual({
      path: ["items", 0, "a/b"],
      message: "Invalid type: expected string.",
      code: "invalid_type",
      expected: "string",
    });
    expect(toZod({ pointer: "", rule: "unknown", suggestion: "channel" })).toEqual({
      path: [],
      message: 'Unrecognized key; did you mean "channel"?',
      code: "unrecognized_keys",
    });
  });

  it("are written as lines of text", () => {
    expect(zodText(toZod({ pointer: "/items/0/sku", rule: "required" }))).toBe("items.0.sku: Required");
    expect(zodText(toZod({ pointer: "", rule: "custom" }))).toBe("Invalid input");
  });

  it("name unknown keys in the text and as Zod does", () => {
    const issue: Issue = { pointer: "/filter", rule: "unknown", expected: "only stage", keys: ["stgae", "page"] };
    expect(toZod(issue)).toMatchObject({ path: ["filter"], code: "unrecognized_keys", keys: ["stgae", "page"] });
    expect(zodText(toZod(issue))).toBe(
      "filter.stgae: Unrecognized key: expected only stage.\nfilter.page: Unrecognized key: expected only stage.",
    );
    expect(zodText(toZod({ ...issue, pointer: "", keys: ["page"] }))).toBe(
      "page: Unrecognized key: expected only stage.",
    );
  });

  it.each([
    ["Invalid ISO date", "a valid ISO date"],
    ["Invalid email address", "a valid email address"],
    ["Invalid UUID", "a valid UUID"],
    ["Invalid string: must match pattern /^[12]/", "text matching /^[12]/"],
    ["Invalid input", undefined],
  ])("say what %j expects", (message, expected) => {
    expect(fromErrors([{ path: ["day"], message, code: "invalid_format" }])[0]?.expected).toBe(expected);
    expect(fromErrors([{ field: "day", message }])[0]?.expected).toBe(expected);
  });

  it("keep names that only look like an index", () => {
    expect(zodPath("/0/01/1234567890/x")).toEqual([0, "01", "1234567890", "x"]);
  });

  it("may have a looser form in a REST body", () => {
    expect(
      fromErrors([
        { field: "contact.phone", message: "starts with a plus sign, received 0049" },
        "items[0].sku: Required",
        "nothing that has a place",
        7,
        { path: "/a/b", message: "Required", code: "invalid_type" },
        {},
      ]),
    ).toEqual([
      { pointer: "/contact/phone", rule: "custom", expected: "starts with a plus sign" },
      { pointer: "/items/0/sku", rule: "custom" },
      { pointer: "/a/b", rule: "required" },
      { pointer: "", rule: "custom" },
    ]);
  });
});
