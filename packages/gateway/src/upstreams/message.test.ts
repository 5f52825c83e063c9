import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../faults/test/runs.ts";
import { findEnvelope } from "./json-spans.ts";
import { editAnswer, isSameId, messageBody } from "./message.ts";

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
  return envelope === undefined ? "" : editAnswer(body, envelope, { id, typed }).toString();
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
