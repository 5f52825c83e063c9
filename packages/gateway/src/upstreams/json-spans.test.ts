import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../faults/test/runs.ts";
import type { Span } from "../json/skip.ts";
import { findEnvelope, hasMember } from "./json-spans.ts";

const textAt = (text: string, span: Span | undefined) =>
  span === undefined ? undefined : Buffer.from(text).subarray(span.start, span.end).toString();

function parts(text: string) {
  const found = findEnvelope(Buffer.from(text));
  if (found === undefined) return undefined;
  const { id, method, result, error } = found;
  return {
    id: textAt(text, id),
    method: textAt(text, method),
    result: textAt(text, result),
    error: textAt(text, error),
  };
}

describe("finds the members of the envelope", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{}}', { id: "7", result: "{}" }],
    [
      '{"result":{"id":1,"result":{"error":2}},"jsonrpc":"2.0","id":"a"}',
      { id: '"a"', result: '{"id":1,"result":{"error":2}}' },
    ],
    [
      ' { "id" : null ,\n"error":{"code":-1,"message":"}]\\"{"} }\n',
      { id: "null", error: '{"code":-1,"message":"}]\\"{"}' },
    ],
    ['{"method":"x","id":1e400}', { method: '"x"', id: "1e400" }],
    ["{}", {}],
    [`{"a":"${"\\\\".repeat(40)}","id":12345678901234567890}`, { id: "12345678901234567890" }],
    [`{"a":"${"x".repeat(60)}\\"${"y".repeat(60)}\\\\","id":1}`, { id: "1" }],
    ['{"iD":1,"idd":2,"id":3}', { id: "3" }],
  ])("%s", (text, expected) => {
    expect(parts(text)).toEqual({ id: undefined, method: undefined, result: undefined, error: undefined, ...expected });
  });

  it.each([
    "",
    "[]",
    "7",
    "{",
    '{"id":1',
    '{"id":1,}',
    '{"id":}',
    '{"id" 1}',
    "{id:1}",
    '{"id":1} x',
    '{"id":1}{}',
    '{"id":1,"id":2}',
    '{"\\u0069d":1}',
    '{"result":{"a":[1,2}',
    '{"a":"b',
    '[{"id":1}]',
  ])("%s is not one message", (text) => {
    expect(parts(text)).toBeUndefined();
  });
});

it("agrees with JSON.parse", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const message = fc.record(
    { id: value, result: value, error: value, method: value, other: value },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(message, fc.constantFrom(undefined, 1, "\t"), (given, space) => {
      const text = JSON.stringify(given, undefined, space);
      const found = parts(text);
      const parsed = JSON.parse(text) as Record<string, unknown>;
      for (const name of ["id", "result", "error", "method"] as const) {
        const part = found?.[name];
        expect(part === undefined ? undefined : JSON.parse(part)).toEqual(parsed[name]);
      }
    }),
    { numRuns: runs(1_000) },
  );
});

it("never finds an envelope in a message that was cut", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), (result, at) => {
      const bytes = Buffer.from(JSON.stringify({ id: 1, result }));
      expect(findEnvelope(bytes.subarray(0, at % bytes.length))).toBeUndefined();
    }),
    { numRuns: runs(1_000) },
  );
});

it("tells whether an object has a member", () => {
  const has = (text: string) => hasMember(Buffer.from(text), 0, "resultType");
  expect(['{"a":1,"resultType":"x"}', '{"a":{"resultType":1}}', "{}", "[]", '{"a":"resultType"}'].map(has)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(has('{"\\u0072esultType":"x"}')).toBe(true);
  expect(has('{"\\"":1}')).toBe(false);
});
