import { rowsOf } from "@recourse/test-kit/rows";
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

  it.each(rowsOf<[item: unknown, pointer: string]>(import.meta.url, "pointers"))("%o", (item, pointer) => {
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
    expect(issuesInBody({ code: 400, errors: [missing] })).toEqual([
      { pointer: "/workspace", rule: "required", message: "Required" },
    ]);
    const wrong = { path: ["name"], code: "invalid_type", message: "Expected string, received number" };
    expect(issuesInBody({ code: 400, errors: [wrong] })).toMatchObject([{ pointer: "/name", rule: "type" }]);
  });

  it("reads the causes of a Kubernetes status", () => {
    const cause = { reason: "FieldValueRequired", message: "Required value", field: "spec.containers[0].image" };
    const body = { kind: "Status", status: "Failure", code: 422, details: { name: "web", causes: [cause] } };
    expect(issuesInBody(body)).toEqual([
      { pointer: "/spec/containers/0/image", rule: "required", message: "Required value" },
    ]);
  });

  it("reads a message that is a record of lists by field", () => {
    expect(issuesInBody({ message: { title: ["can't be blank"], "labels.0": ["is invalid"] } })).toEqual([
      { pointer: "/title", rule: "custom", message: "can't be blank" },
      { pointer: "/labels/0", rule: "custom", message: "is invalid" },
    ]);
    expect(issuesInBody({ message: { text: "not a list" } })).toEqual([]);
  });
});

describe("what is said of a field", () => {
  const said = (body: unknown) => issuesInBody(body).map(({ pointer, message }) => [pointer, message]);

  it.each<[string, unknown, unknown]>([
    [
      "FastAPI",
      {
        detail: [{ type: "value_error", loc: ["body", "iban"], msg: "Value error, must be a German IBAN", input: "x" }],
      },
      [["/iban", "must be a German IBAN"]],
    ],
    [
      "Rails",
      { errors: { iban: ["is too short.", "is no German IBAN"] } },
      [["/iban", "is too short; is no German IBAN"]],
    ],
    ["Rails, the record as a whole", { errors: { base: ["Both names are equal"] } }, [["", "Both names are equal"]]],
    [
      "Django",
      { iban: ["Enter a German IBAN."], non_field_errors: ["No."] },
      [
        ["/iban", "Enter a German IBAN."],
        ["", "No."],
      ],
    ],
    [
      "Laravel",
      { message: "The iban is invalid.", errors: { iban: ["The iban is invalid."] } },
      [["/iban", "The iban is invalid."]],
    ],
    [
      "JSON:API",
      { errors: [{ source: { pointer: "/data/attributes/iban" }, title: "Invalid", detail: "must be a German IBAN" }] },
      [["/data/attributes/iban", "must be a German IBAN"]],
    ],
    [
      "RFC 9457",
      { title: "Bad", errors: [{ pointer: "#/iban", detail: "must be a German IBAN" }] },
      [["/iban", "must be a German IBAN"]],
    ],
    ["Stripe", { error: { param: "iban", message: "must be a German IBAN" } }, [["/iban", "must be a German IBAN"]]],
    [
      "google.rpc",
      {
        error: {
          details: [
            {
              "@type": "type.googleapis.com/google.rpc.BadRequest",
              fieldViolations: [{ field: "iban", description: "no IBAN" }],
            },
          ],
        },
      },
      [["/iban", "no IBAN"]],
    ],
    ["nothing but spaces", { errors: { iban: [" ", 7, null] } }, [["/iban", undefined]]],
    ["more than three sentences", { errors: { iban: ["a", "b", "c", "d"] } }, [["/iban", "a; b; c"]]],
  ])("%s", (_, body, expected) => {
    expect(said(body)).toEqual(expected);
  });
});
