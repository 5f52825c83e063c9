import { expect, test } from "vitest";
import type { RecordedAnswer } from "../../recording/recording.ts";
import { compileSchema } from "../choose-tools.ts";
import { validObject } from "../valid-arguments.ts";
import { RUNGS, refusesArguments, wrongSet } from "./wrong-arguments.ts";

const wrong = [{ field: "pod", rule: "type" }] as const;

function said(message: Record<string, unknown>): boolean {
  const answer: RecordedAnswer = {
    kind: "message",
    message: { jsonrpc: "2.0", id: 1, ...message },
    ms: 1,
    text: "",
    bytes: 0,
  };
  return refusesArguments(answer, wrong);
}
const failed = (text: string, more: object = {}) => ({
  result: { isError: true, content: [{ type: "text", text }], ...more },
});

test("a refusal as wrong arguments opens the ladder", () => {
  expect(said({ error: { code: -32602, message: "Invalid params" } })).toBe(true);
  expect(said(failed("Input validation error: pod: expected string"))).toBe(true);
  expect(said(failed("Sorry.", { error: { fields: ["pod"], reason: "invalid" } }))).toBe(true);
  expect(said({ error: { code: -32603, message: "pod must be a string" } })).toBe(true);
});

test("anything else does not: the arguments may have been used", () => {
  expect(said({ result: { content: [] } })).toBe(false);
  expect(said(failed("kubectl logs recourse-probe-value failed"))).toBe(false);
  expect(said(failed("pod.startsWith is not a function, expected string"))).toBe(false);
  expect(said({ error: { code: -32602, message: "Cannot read properties of undefined" } })).toBe(false);
  expect(said(failed("connect ECONNREFUSED: invalid pod"))).toBe(false);
  expect(refusesArguments({ kind: "silent", ms: 1, strays: [] }, wrong)).toBe(false);
});

function sets(inputSchema: Record<string, unknown>) {
  const compiled = compileSchema(inputSchema);
  if (!compiled.ok) throw new Error(compiled.because);
  const valid = validObject(inputSchema, { root: inputSchema, anyChoice: false })?.value as Record<string, unknown>;
  expect(compiled.judge.accepts(valid)).toBe(true);
  const wrong = Object.fromEntries(
    RUNGS.map((rung) => [rung, wrongSet(rung, { inputSchema, valid, judge: compiled.judge })]),
  );
  for (const set of Object.values(wrong))
    if (set !== undefined) expect(compiled.judge.refuses(set.arguments)).toBe(true);
  return { valid, wrong };
}

test("values name things that exist nowhere, by format and by name", () => {
  const { valid } = sets({
    type: "object",
    properties: {
      path: { type: "string" },
      link: { type: "string", format: "uri" },
      id: { type: "string", format: "uuid" },
      code: { type: "string", pattern: "^[A-Z]{3}$" },
      short: { type: "string", maxLength: 4 },
      long: { type: "string", minLength: 40 },
      count: { type: "integer", minimum: 5, maximum: 9 },
      above: { type: "number", exclusiveMinimum: 10 },
      dryRun: { type: "boolean" },
      force: { type: "boolean" },
      paths: { type: "array", items: { $ref: "#/$defs/path" }, minItems: 2, maxItems: 4 },
      either: { anyOf: [{ type: "null" }, { const: "asc" }] },
      nested: { type: "object", properties: { when: { type: "string", format: "date-time" } }, required: ["when"] },
    },
    required: ["path", "link", "id", "code", "short", "long", "count", "above", "dryRun", "force", "nested", "either"],
    $defs: { path: { type: "string" } },
  });
  expect(valid).toEqual({
    path: "/recourse-probe/value",
    link: "https://recourse-probe.invalid/",
    id: "00000000-0000-0000-0000-000000000000",
    code: "AAA",
    short: "reco",
    long: "recourse-probe-value".padEnd(40, "x"),
    count: 5,
    above: 11,
    dryRun: true,
    force: false,
    either: "asc",
    nested: { when: "2000-01-01T00:00:00Z" },
  });
});

test("each rung breaks its rule in every field that it can", () => {
  const { wrong } = sets({
    type: "object",
    properties: {
      name: { type: "string", maxLength: 30 },
      size: { type: "integer", minimum: 1, maximum: 9 },
      order: { type: "string", enum: ["asc", "desc"] },
    },
    required: ["name", "size"],
    additionalProperties: false,
  });
  expect(wrong["type"]?.arguments).toEqual({
    name: ["recourse-probe-value"],
    size: "recourse-probe-value",
    order: ["recourse-probe-value"],
  });
  expect(wrong["type-again"]).toEqual(wrong["type"]);
  expect(wrong["missing"]?.arguments).toEqual({});
  expect(wrong["missing"]?.wrong.map(({ field }) => field)).toEqual(["name", "size"]);
  expect(wrong["enum"]?.arguments).toMatchObject({ order: "recourse-probe-value" });
  expect(wrong["range"]?.arguments).toEqual({ name: "x".repeat(31), size: 10 });
  expect(wrong["extra-key"]?.wrong).toEqual([{ field: "recourse_probe_extra", rule: "extra-key" }]);
  expect(wrong["bait"]?.arguments).toMatchObject({ size: expect.stringMatching(/^sk-probe-/) });
});

test("what the schema accepts is not called wrong", () => {
  const { wrong } = sets({ type: "object", properties: { any: {} }, required: [] });
  expect(Object.values(wrong).filter((set) => set !== undefined)).toEqual([]);
});

test.each([
  ["a loop of references", { type: "object", properties: { a: { $ref: "#/properties/a" } }, required: ["a"] }],
  ["a pattern that is none", { type: "object", properties: { a: { type: "string", pattern: "(" } }, required: ["a"] }],
])("%s is neither accepted nor refused", (_, schema) => {
  const compiled = compileSchema(schema);
  expect(compiled.ok && (compiled.judge.accepts({ a: "x" }) || compiled.judge.refuses({ a: "x" }))).toBe(false);
});

test("patterns that could take for ever are not tried", () => {
  const slow = (pattern: string) =>
    compileSchema({ type: "object", properties: { a: { type: "string", pattern } } }).ok;
  expect(slow("^(a+)+$")).toBe(false);
  expect(slow("(x|xx)*y\\1")).toBe(false);
  expect(slow("^[a-z]+(-[a-z]+)?$")).toBe(true);
  expect(compileSchema({ patternProperties: { "^(a*)*$": {} } }).ok).toBe(false);
});

test("a wrong type does not switch on what changes something, where a server does not look", () => {
  const flag = { type: "boolean" };
  const { wrong } = sets({ type: "object", properties: { delete: flag, dryRun: flag }, required: ["delete"] });
  expect(wrong["type"]?.arguments).toEqual({ delete: 0, dryRun: "recourse-probe-value" });
});
