import { describe, expect, it } from "vitest";
import {
  type CheckCase,
  exchangeOf,
  rpcError,
  rpcResult,
  saysOf,
  silence,
  toolFailure,
  toolSuccess,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const valid = (answer: RecordedAnswer) => exchangeOf("valid-call", answer, { tool: "find_item" });
const wrong = (answer: RecordedAnswer, variant = "type", description = "") =>
  exchangeOf("wrong-arguments", answer, {
    variant,
    tool: "find_item",
    wrong: [{ field: "next", rule: "type", schema: { type: "boolean", description } }],
  });
const LIST = exchangeOf("list", rpcResult({ tools: [] }), { variant: "tools/list", method: "tools/list" });
const OUTPUT = {
  tools: [
    {
      name: "find_item",
      outputSchema: { type: "object", required: ["price"], properties: { price: { type: "number" } } },
    },
  ],
};
const green = (about: string, text: string, says: string): CheckCase => ({
  about,
  exchanges: [valid(toolSuccess(text))],
  says,
});
const schema = (about: string, inputSchema: unknown, says: string): CheckCase => ({
  about,
  exchanges: [LIST],
  view: { tools: [{ name: "find_item", inputSchema }] },
  says,
});

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "args-refused": [
    {
      about: "a wrong type",
      exchanges: [wrong(toolSuccess("fine"))],
      says: "A call of find_item with arguments of the wrong type gets a result without isError.",
    },
    {
      about: "a missing argument",
      exchanges: [wrong(toolSuccess("fine"), "missing")],
      says: "a missing argument gets a result",
    },
    { about: "a refusal", exchanges: [wrong(toolFailure("no")), wrong(rpcError(-32602, "no"))], says: "pass" },
    {
      about: "a conversion that is announced",
      exchanges: [wrong(toolSuccess("fine"), "type", 'true, or the text "true"')],
      says: "pass",
    },
    { about: "a value out of range", exchanges: [wrong(toolSuccess("fine"), "range")], says: "skipped" },
    { about: "nothing", exchanges: [wrong(silence())], says: "skipped" },
  ],
  "false-green": [
    green(
      "an error",
      "Error searching libraries: TypeError: fetch failed",
      "answered as a success that reports a failure",
    ),
    green("a class", "ValidationError: bad", "reports a failure"),
    green("a failure", "Failed to load the page", "reports a failure"),
    green("a flag", '{"success":false}', "reports a failure"),
    green("an error member", '{"error":"no such item"}', "reports a failure"),
    green("results for several items", "/a.txt: Error - no such file\n/b.txt: fine", "pass"),
    green("a report", "Errors: 0", "pass"),
    green("jobs that failed", "Failed jobs of today: none", "pass"),
    green("an empty error", '{"error":null,"items":[]}', "pass"),
    { about: "a failure that says so", exchanges: [valid(toolFailure("Error: x"))], says: "skipped" },
  ],
  "output-matches-schema": [
    {
      about: "no data",
      exchanges: [valid(toolSuccess("20"))],
      view: OUTPUT,
      says: "find_item has an output schema and returns no structuredContent.",
    },
    {
      about: "wrong data",
      exchanges: [valid(toolSuccess("20", { structuredContent: { price: "20" } }))],
      view: OUTPUT,
      says: "/price breaks the rule type",
    },
    {
      about: "right data",
      exchanges: [valid(toolSuccess("20", { structuredContent: { price: 20 } }))],
      view: OUTPUT,
      says: "pass",
    },
    {
      about: "an older version",
      exchanges: [valid(toolSuccess("20"))],
      view: { ...OUTPUT, negotiated: "2025-03-26" },
      says: "skipped",
    },
    { about: "no schema", exchanges: [valid(toolSuccess("20"))], says: "skipped" },
    { about: "a failure", exchanges: [valid(toolFailure("no"))], view: OUTPUT, says: "skipped" },
  ],
  "schema-valid": [
    schema(
      "a schema",
      { type: "object", properties: { a: { type: ["string", "null"], pattern: "^a-z" } }, $defs: { b: true } },
      "pass",
    ),
    schema(
      "a reference",
      { type: "object", properties: { a: { $ref: "#/$defs/b" } }, $defs: { b: { type: "string" } } },
      "pass",
    ),
    schema("another type", { type: "array" }, "The input schema of find_item is not of the type object."),
    schema("none", undefined, "not of the type object"),
    schema(
      "an unknown type",
      { type: "object", properties: { a: { type: "int" } } },
      "cannot be read: properties/a/type",
    ),
    schema("a wrong list", { type: "object", required: "a" }, "cannot be read: required"),
    schema("a broken pattern", { type: "object", properties: { a: { pattern: "(" } } }, "properties/a/pattern"),
    schema("a reference to nothing", { type: "object", properties: { a: { $ref: "#/$defs/c" } } }, "properties/a/$ref"),
    { about: "no tools", exchanges: [LIST], says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("says of $about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
