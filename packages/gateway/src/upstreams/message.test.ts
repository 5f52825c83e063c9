import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Span } from "../call/json-bytes.ts";
import { editAnswer, findEnvelope, hasMember, isSameId, messageBody, newerMembers } from "./message.ts";

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

it("puts params into a message as they are", () => {
  const params = Buffer.from('{"n":12345678901234567890,"d":1,"d":2 ,"s":"\\u00e4ä"}');
  expect(messageBody('"ä\\n"', "tools/call", params).toString()).toBe(
    `{"jsonrpc":"2.0","id":"ä\\n","method":"tools/call","params":${params}}`,
  );
  expect(messageBody(undefined, 'a"b', Buffer.from("{}")).toString()).toBe(
    '{"jsonrpc":"2.0","method":"a\\"b","params":{}}',
  );
});

it("compares ids by value", () => {
  const same = (text: string, id: string) =>
    isSameId(Buffer.from(text), { start: 0, end: Buffer.byteLength(text) }, id);
  expect(same("7", "7")).toBe(true);
  expect(same('"\\u0061"', '"a"')).toBe(true);
  expect(same("7.0", "7")).toBe(true);
  expect(same('"7"', "7")).toBe(false);
  expect(same("null", "7")).toBe(false);
});

function edited(text: string, id: string, typed: boolean): string {
  const body = Buffer.from(text);
  const envelope = findEnvelope(body);
  const added = typed ? newerMembers("tools/call") : undefined;
  return envelope === undefined ? "" : editAnswer(body, envelope, { id, added }).toString();
}

describe("changes an answer at its spans", () => {
  it.each([
    ['{"id":4,"result":{"n":1e400}}', false, '{"id":"x","result":{"n":1e400}}'],
    ['{"id":4,"result":{"n":1e400}}', true, '{"id":"x","result":{"resultType":"complete","n":1e400}}'],
    ['{"result":{ },"id":4}', true, '{"result":{"resultType":"complete" },"id":"x"}'],
    [
      '{"result":{"a":1,"resultType":"input_required"},"id":4}',
      true,
      '{"result":{"a":1,"resultType":"input_required"},"id":"x"}',
    ],
    ['{"error":{"code":1},"id":null}', true, '{"error":{"code":1},"id":"x"}'],
    ['{"error":{"code":1}}', true, '{"error":{"code":1}}'],
    ['{"result":[],"id":4}', true, '{"result":[],"id":"x"}'],
  ])("%s, typed %s", (text, typed, expected) => {
    expect(edited(text, '"x"', typed)).toBe(expected);
  });

  it("and says of a resource that was read how long it may be kept", () => {
    const read = (text: string) => {
      const body = Buffer.from(text);
      const envelope = findEnvelope(body);
      const added = newerMembers("resources/read");
      return envelope && editAnswer(body, envelope, { id: "1", added }).toString();
    };
    expect(read('{"id":4,"result":{"contents":[]}}')).toBe(
      '{"id":1,"result":{"resultType":"complete","ttlMs":0,"cacheScope":"private","contents":[]}}',
    );
    expect(read('{"id":4,"result":{"ttlMs":5,"contents":[]}}')).toBe(
      '{"id":1,"result":{"resultType":"complete","cacheScope":"private","ttlMs":5,"contents":[]}}',
    );
  });

  it("and leaves everything else as it came", () => {
    const result = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(result, fc.boolean(), fc.boolean(), (made, isFirst, typed) => {
        // JSON has no negative zero.
        const given = JSON.parse(JSON.stringify(made));
        const text = isFirst
          ? `{"id":12,"result":${JSON.stringify(given, undefined, 1)}}`
          : `{"result":${JSON.stringify(given)},"id":12}`;
        const expected = { id: "ä", result: typed ? { resultType: "complete", ...given } : given };
        expect(JSON.parse(edited(text, '"ä"', typed))).toEqual(expected);
        expect(edited(edited(text, '"ä"', false), "12", false)).toBe(text);
      }),
      { numRuns: runs(500) },
    );
  });
});
