import { describe, expect, it } from "vitest";
import { issuesInBody, ruleOfCode } from "./issues.ts";

describe("the rule of a code", () => {
  it.each([
    [
      "required",
      ["required", "missing_field", "value_error.missing", "parameter_missing", "NotBlank", "NotNull", "blank"],
    ],
    ["type", ["invalid_type", "type_error.integer", "string_type", "type"]],
    ["format", ["INVALID_FORMAT", "pattern", "invalid_string", "int_parsing", "Email"]],
    ["range", ["minimum", "too_small", "greater_than", "Min", "Max", "OUT_OF_RANGE"]],
    ["length", ["minLength", "string_too_long", "Size", "too_short"]],
    ["choice", ["enum", "invalid_option", "inclusion", "invalid_value", "one_of"]],
    ["unknown", ["unrecognized_keys", "extra_forbidden", "additionalProperties", "unknown_parameter"]],
    ["duplicate", ["already_exists", "taken", "unique", "duplicate_key"]],
    ["custom", ["custom", "invalid", "4711", "x".repeat(200)]],
  ] as const)("%s", (rule, codes) => {
    for (const code of codes) expect([code, ruleOfCode(code)]).toEqual([code, rule]);
  });

  it("is read from strings only", () => {
    for (const code of [undefined, null, 7, {}]) expect(ruleOfCode(code)).toBe("custom");
  });
});

describe("the pointer of a field error", () => {
  const at = (item: unknown) => issuesInBody({ errors: [item] })[0]?.pointer;

  it.each([
    [{ pointer: "#/a/b" }, "/a/b"],
    [{ pointer: "#/a%20b" }, "/a b"],
    [{ pointer: "#/%" }, ""],
    [{ pointer: "/a" }, "/a"],
    [{ pointer: "" }, ""],
    [{ source: { pointer: "/data/attributes/x" } }, "/data/attributes/x"],
    [{ source: { parameter: "include" } }, "/include"],
    [{ instancePath: "/a/0" }, "/a/0"],
    [{ loc: ["body", "a", 0] }, "/a/0"],
    [{ loc: ["a", "body"] }, "/a/body"],
    [{ field: "a.b[0].c" }, "/a/b/0/c"],
    [{ field: "a[b][c]" }, "/a/b/c"],
    [{ field: "a['b']" }, "/a/b"],
    [{ field: "$.a" }, "/a"],
    [{ field: "x/y" }, "/x~1y"],
    [{ param: "p" }, "/p"],
    [{ propertyPath: "p.q" }, "/p/q"],
    [{ path: ["a", 1] }, "/a/1"],
    [{ path: "a.b" }, "/a/b"],
    [{ field: "f".repeat(513) }, ""],
  ])("%o", (item, pointer) => {
    expect(at(item)).toBe(pointer);
  });

  it.each([
    [{ path: ["a"], extensions: {} }],
    [{ path: ["a"], locations: [] }],
    [{ path: [{}] }],
    [{ message: "m" }],
    ["a"],
    [null],
  ])("%o has none", (item) => {
    expect(at(item)).toBeUndefined();
  });
});

describe("shapes without field errors", () => {
  it.each([
    [undefined],
    ["text"],
    [[]],
    [{}],
    [{ errors: "sentence" }],
    [{ errors: { a: 1 } }],
    [{ email: "sentence" }],
    [{ email: [1] }],
    [{ error: { param: null } }],
  ])("%o", (body) => {
    expect(issuesInBody(body)).toEqual([]);
  });

  it("reads at most twenty field errors", () => {
    const errors = Array.from({ length: 1_000 }, (_, at) => ({ field: `f${at}` }));
    expect(issuesInBody({ errors })).toHaveLength(20);
    expect(issuesInBody({ errors: Object.fromEntries(errors.map(({ field }) => [field, ["m"]])) })).toHaveLength(20);
  });
});

describe("lists and records under other names", () => {
  it("reads a missing argument that Zod calls a wrong type", () => {
    const missing = { path: ["workspace"], code: "invalid_type", message: "Required" };
    expect(issuesInBody({ code: 400, errors: [missing] })).toEqual([{ pointer: "/workspace", rule: "required" }]);
    const wrong = { path: ["name"], code: "invalid_type", message: "Expected string, received number" };
    expect(issuesInBody({ code: 400, errors: [wrong] })).toEqual([{ pointer: "/name", rule: "type" }]);
  });

  it("reads the causes of a Kubernetes status", () => {
    const cause = { reason: "FieldValueRequired", message: "Required value", field: "spec.containers[0].image" };
    const body = { kind: "Status", status: "Failure", code: 422, details: { name: "web", causes: [cause] } };
    expect(issuesInBody(body)).toEqual([{ pointer: "/spec/containers/0/image", rule: "required" }]);
  });

  it("reads a message that is a record of lists by field", () => {
    expect(issuesInBody({ message: { title: ["can't be blank"], "labels.0": ["is invalid"] } })).toEqual([
      { pointer: "/title", rule: "custom" },
      { pointer: "/labels/0", rule: "custom" },
    ]);
    expect(issuesInBody({ message: { text: "not a list" } })).toEqual([]);
  });
});
