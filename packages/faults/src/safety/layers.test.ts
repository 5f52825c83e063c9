import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeBackslash,
  decodeBase64Runs,
  decodeHexRuns,
  decodeHtmlEntities,
  decodePercent,
  findTextRuns,
  foundUnderLayers,
  mayBeEncoded,
  unescapeText,
} from "./layers.ts";
import { StringSearch } from "./secrets.ts";

it.each([
  ["%61b%63", "abc"],
  ["%u0061%U0062", "ab"],
  ["%C3%BC", "ü"],
  ["%c3%bc!", "ü!"],
  // A half character is replaced, and what stands beside it stays.
  ["%61%C3", "a\ufffd"],
  ["100% %6", "100% %6"],
])("decodes the percent escapes of %j", (text, decoded) => {
  expect(decodePercent(text)).toBe(decoded);
});

it.each([
  ["\\u0061\\u{62}\\x63", "abc"],
  ["\\u{1F600}", "😀"],
  ["\\u{110000}!", "!"],
  ["\\b\\f\\n\\r\\t", "\b\f\n\r\t"],
  ["\\\"\\'\\/\\\\\\`", "\"'/\\`"],
  ["\\N\\T", "\\N\\T".replace("\\N", "N").replace("\\T", "T")],
  ["\\q \\u12", "\\q \\u12"],
])("decodes the backslash escapes of %j", (text, decoded) => {
  expect(decodeBackslash(text)).toBe(decoded);
});

it.each([
  ["&#97;&#98", "ab"],
  ["&#x61;&#X62;", "ab"],
  ["&amp;&lt;&gt;&quot;&apos;", "&<>\"'"],
  ["&AMP;&lt", "&<"],
  ["&#1114111;!", "\u{10ffff}!"],
  ["&#1114112;!", "!"],
  ["&copy; & b", "&copy; & b"],
])("decodes the entities of %j", (text, decoded) => {
  expect(decodeHtmlEntities(text)).toBe(decoded);
});

it("takes every text for encoded that is not one line of printable ASCII without escapes and long runs", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string(),
    fc.string({ unit: fc.constantFrom("a", "0", "+", "_", " ", ".") }),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 6, max: 20 }), (one, minLength) => {
      const isPlain = /^[ -$'-[\]-~]*$/.test(one);
      const runs = one.split(/[^A-Za-z0-9+/_-]/).filter((run) => run.length >= Math.ceil((minLength * 4) / 3));
      expect(mayBeEncoded(one, minLength)).toBe(!isPlain || runs.length > 0);
    }),
  );
});

describe("base64", () => {
  const word = Buffer.from("correct horse").toString("base64");

  it("is found only if it is long enough for the text", () => {
    expect(mayBeEncoded("abcdefgh", 6)).toBe(true);
    expect(mayBeEncoded("abcdefg", 6)).toBe(false);
    expect(mayBeEncoded("abcd efgh", 6)).toBe(false);
    expect(mayBeEncoded("", 6)).toBe(false);
  });

  it.each(["", "x", "xy", "xyz"])("is decoded after %j", (before) => {
    expect(decodeBase64Runs(`${before}${word}`, 13)).toContain("correct horse");
  });

  it("is decoded in both alphabets, at the end and before other characters", () => {
    expect(decodeBase64Runs(Buffer.from("ÿþ>?ÿþ>? abc").toString("base64url"), 4)).toContain("ÿþ>?ÿþ>? abc");
    expect(decodeBase64Runs(Buffer.from("ÿþ>?ÿþ>? abc").toString("base64"), 4)).toContain("ÿþ>?ÿþ>? abc");
    expect(decodeBase64Runs("Pj4-Pj4-IGFiYw", 4)).toContain(">>>>>> abc");
    expect(decodeBase64Runs(`(${word})`, 13)).toContain("correct horse");
  });

  it("gives each text its own line, and none that is too short", () => {
    expect(decodeBase64Runs(`${word}.${word}`, 13)).toBe("correct horse\ncorrect horse");
    expect(decodeBase64Runs(word, 14)).toBe("");
  });
});

describe("hex", () => {
  const word = Buffer.from("horse!").toString("hex");

  it("is decoded in either case, and after one more digit", () => {
    expect(decodeHexRuns(word, 6)).toBe("horse!");
    expect(decodeHexRuns(word.toUpperCase(), 6)).toBe("horse!");
    expect(decodeHexRuns(`a${word}`, 6)).toContain("horse!");
    expect(decodeHexRuns(`(${word}) ${word}`, 6)).toBe("horse!\nhorse!");
  });

  it("is left out if it is too short", () => {
    expect(decodeHexRuns(word, 7)).toBe("");
    expect(decodeHexRuns(word.slice(1), 6)).toBe("");
  });
});

it("finds texts of some length in bytes", () => {
  expect(findTextRuns("\u0001abc\u0002defg\u00c3\u00bc", 4)).toStrictEqual(["defgü"]);
  expect(findTextRuns("\u0001", 1)).toStrictEqual([]);
  expect(findTextRuns("abc", 3)).toStrictEqual(["abc"]);
});

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

const search = new StringSearch();
search.add("hunter2-horse!");
const isFound = (text: string) => foundUnderLayers([search], text);

const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");

it.each([
  ["as it is", "got hunter2-horse! here"],
  ["in percent escapes", "q=hunter2%2Dhorse%21&x"],
  ["in backslash escapes", "hunter2\\u002dhorse!"],
  ["in HTML escapes", "hunter2&#45;horse!"],
  ["in base64", "Basic aHVudGVyMi1ob3JzZSE="],
  ["in hex", "68756e746572322d686f72736521"],
  ["with invisible characters", "hunter\u200b2-horse!"],
  ["with compatibility characters", "ｈunter2-horse!"],
  ["with a null beside each character", "h\0u\0n\0t\0e\0r\x002\0-\0h\0o\0r\0s\0e\0!\0"],
  ["on two lines", "hunter2-\r\n\t horse!"],
  ["in base64 on two lines", "aHVudGVy\n  Mi1ob3JzZSE="],
  ["in base64 of percent escapes", base64("hunter2%2Dhorse!")],
  ["in percent escapes of base64", base64("hunter2-horse!").replace("=", "%3D").replace("M", "%4D")],
  ["in hex of base64", hex(base64("hunter2-horse!"))],
  ["in base64 of hex", base64(hex("hunter2-horse!"))],
  ["in HTML escapes of backslash escapes", "hunter2&#92;u002dhorse!"],
  ["in an escape before an accent", "hunter2-horse%21\u0301"],
])("finds a string %s", (_how, text) => {
  expect(isFound(text)).toBe(true);
});

it.each([
  ["", ""],
  ["another text", "The order was not found"],
  ["another text in base64", base64("another text of some length")],
  ["another text with compatibility characters", "Ｏrder was not found"],
  ["another text on two lines", "The order\nwas not found"],
  ["a part of it", "hunter2%2Dhors"],
  ["words between the lines", "hunter2-\nand horse!"],
  ["more space than a line is indented by", `hunter2-\n${" ".repeat(17)}horse!`],
  ["three layers", base64(base64(base64("hunter2-horse!")))],
])("does not find it in %s", (_what, text) => {
  expect(isFound(text)).toBe(false);
});
