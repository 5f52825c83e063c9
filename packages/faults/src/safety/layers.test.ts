import { describe, expect, it } from "vitest";
import { decodeBackslash, decodeBase64, decodeHex, decodeHtml, decodePercent, hasBase64, textsIn } from "./layers.ts";

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
  expect(decodeHtml(text)).toBe(decoded);
});

describe("base64", () => {
  const word = Buffer.from("correct horse").toString("base64");

  it("is found only if it is long enough for the text", () => {
    expect(hasBase64("abcdefgh", 6)).toBe(true);
    expect(hasBase64("abcdefg", 6)).toBe(false);
    expect(hasBase64("abcd efgh", 6)).toBe(false);
    expect(hasBase64("", 6)).toBe(false);
  });

  it.each(["", "x", "xy", "xyz"])("is decoded after %j", (before) => {
    expect(decodeBase64(`${before}${word}`, 13)).toContain("correct horse");
  });

  it("is decoded in both alphabets, at the end and before other characters", () => {
    expect(decodeBase64(Buffer.from("ÿþ>?ÿþ>? abc").toString("base64url"), 4)).toContain("ÿþ>?ÿþ>? abc");
    expect(decodeBase64(Buffer.from("ÿþ>?ÿþ>? abc").toString("base64"), 4)).toContain("ÿþ>?ÿþ>? abc");
    expect(decodeBase64("Pj4-Pj4-IGFiYw", 4)).toContain(">>>>>> abc");
    expect(decodeBase64(`(${word})`, 13)).toContain("correct horse");
  });

  it("gives each text its own line, and none that is too short", () => {
    expect(decodeBase64(`${word}.${word}`, 13)).toBe("correct horse\ncorrect horse");
    expect(decodeBase64(word, 14)).toBe("");
  });
});

describe("hex", () => {
  const word = Buffer.from("horse!").toString("hex");

  it("is decoded in either case, and after one more digit", () => {
    expect(decodeHex(word, 6)).toBe("horse!");
    expect(decodeHex(word.toUpperCase(), 6)).toBe("horse!");
    expect(decodeHex(`a${word}`, 6)).toContain("horse!");
    expect(decodeHex(`(${word}) ${word}`, 6)).toBe("horse!\nhorse!");
  });

  it("is left out if it is too short", () => {
    expect(decodeHex(word, 7)).toBe("");
    expect(decodeHex(word.slice(1), 6)).toBe("");
  });
});

it("finds texts of some length in bytes", () => {
  expect(textsIn("\u0001abc\u0002defg\u00c3\u00bc", 4)).toStrictEqual(["defgü"]);
  expect(textsIn("\u0001", 1)).toStrictEqual([]);
  expect(textsIn("abc", 3)).toStrictEqual(["abc"]);
});
