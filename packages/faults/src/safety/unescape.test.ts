import fc from "fast-check";
import { expect, it } from "vitest";
import { unescapeText } from "./unescape.ts";

it.each([
  ["nothing to do", "nothing to do"],
  ["ｐａｓｓ＝１", "pass=1"],
  ["to\u200bken", "token"],
  ["a%3Db%20c", "a=b c"],
  ["%e4%bd%a0", "你"],
  ["%ff%41", "\ufffdA"],
  ["100% sure", "100% sure"],
  ['\\"a\\" \\\\\\"b\\\\\\"', '"a" "b"'],
  ["a\\nb\\u0040c\\x41", "a\nb@cA"],
  // Escaped twice, as in JSON inside JSON.
  ["a\\\\u0040b", "a@b"],
  ["&lt;b&gt; &#64; &#x41; &amp;", "<b> @ A &"],
  ["\\u{1f600}", "😀"],
  ["&#9999999;", "&#9999999;"],
])("reads %j as %j", (text, view) => {
  expect(unescapeText(text)).toBe(view);
});

it("never throws", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(typeof unescapeText(text)).toBe("string");
    }),
  );
});
