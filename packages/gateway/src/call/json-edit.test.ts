import { describe, expect, it } from "vitest";
import { valuesOf } from "./json-bytes.ts";
import { onOneLine, withMetaMember, withSpans } from "./json-edit.ts";

const put = (text: string, start = 0) => withMetaMember(Buffer.from(text), start, { "recourse/a": null }).toString();

it.each([
  ["{}", '{"_meta":{"recourse/a":null}}'],
  ['{ "n": 1e400 }', '{ "_meta":{"recourse/a":null},"n": 1e400 }'],
  ['{"n":1,"_meta":{}}', '{"n":1,"_meta":{"recourse/a":null}}'],
  ['{"_meta":{"b":{"c":1}},"n":1}', '{"_meta":{"recourse/a":null,"b":{"c":1}},"n":1}'],
  ['{"_meta":{"recourse/a":"x","b":1}}', '{"_meta":{"recourse/a":null,"b":1}}'],
  ['{"_meta":7}', '{"_meta":{"recourse/a":null}}'],
])("writes %s as %s", (before, after) => {
  expect(put(before)).toBe(after);
});

it("leaves what stands around the object", () => {
  expect(put('{"result":{"n":1},"id":7}', 10)).toBe('{"result":{"_meta":{"recourse/a":null},"n":1},"id":7}');
});

describe("withSpans", () => {
  it("replaces the spans and nothing else", () => {
    const bytes = Buffer.from('{ "x":1e400, "name" : "a", "y":12345678901234567890, "name":"b" }');
    expect(withSpans(bytes, valuesOf(bytes, 0, "name"), '"é"').toString()).toBe(
      '{ "x":1e400, "name" : "é", "y":12345678901234567890, "name":"é" }',
    );
  });
});

it("writes JSON on one line", () => {
  const json = Buffer.from('{\r\n  "a\\n": [1,\n2]\r}');
  expect(onOneLine(json).toString()).toBe('{    "a\\n": [1, 2] }');
  expect(json.includes("\n")).toBe(true);
  const plain = Buffer.from('{"a":"\\n"}');
  expect(onOneLine(plain)).toBe(plain);
});
