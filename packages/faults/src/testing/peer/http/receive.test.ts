import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../test/runs.ts";
import { FaultError } from "../../../fault/error.ts";
import { parse } from "./receive.ts";

function faultOf(bytes: Buffer): unknown {
  try {
    return parse(bytes);
  } catch (thrown) {
    return FaultError.is(thrown) ? [thrown.fault.reason, thrown.fault.params?.["position"]] : thrown;
  }
}

test.each([
  ["a stray byte", Buffer.from([0x22, 0x61, 0xff, 0x22]), 2],
  ["a character cut short", Buffer.from([0x22, 0xe2, 0x82, 0x22]), 1],
  ["an overlong form", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 1],
  ["half of a pair", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 1],
])("%s is no UTF-8", (_, bytes, position) => {
  expect(faultOf(bytes)).toEqual(["content/invalid_encoding", position]);
});

test("the mark that stands for what could not be read is itself UTF-8", () => {
  expect(parse(Buffer.from('"\u{FFFD}"'))).toBe("\u{FFFD}");
});

test("what is UTF-8 but no JSON is a parse error", () => {
  expect(faultOf(Buffer.from('{"a":'))).toEqual(["protocol/parse_error", undefined]);
});

test("every JSON comes through", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(parse(Buffer.from(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: runs(200) },
  );
});
