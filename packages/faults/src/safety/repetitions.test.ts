import { expect, it } from "vitest";
import { findRepetitions, tokensIn } from "./repetitions.ts";

const found = (text: string, one: string) =>
  findRepetitions(text, [one]).map(({ start, end }) => [start, text.slice(start, end)] as const);

it.each([
  ["No file at /etc/x.", "/etc/x"],
  ["(/etc/x), gone", "/etc/x"],
  ["«/etc/x»: gone", "/etc/x"],
  ["/etc/x’s owner", "/etc/x"],
  ["ticket #ABC-4711!", "ABC-4711"],
  ['{"email":"a@b.example"}', "a@b.example"],
  ["file='/etc/x'", "/etc/x"],
  ["path=/etc/x is gone", "/etc/x"],
  ["(path=/etc/x is gone", "/etc/x"],
  ['"abc",def', "abc"],
  ['x="abc"', "abc"],
  ['x=["abc"]', "abc"],
  ["((((((abc))))))", "abc"],
  ["GB29 NWBK 6016 is unknown", "GB29 NWBK 6016"],
])("finds in %j the whole of %j", (text, one) => {
  expect(found(text, one)).toStrictEqual([[text.indexOf(one), one]]);
});

it.each([
  ["password=hunter2", "password="],
  ["password=hunter2", "hunter2"],
  ["/etc/xy", "/etc/x"],
  ["/etc/x/y", "/etc/x"],
  ["a/etc/x", "/etc/x"],
  ["ab'cde'fg", "cde"],
  ["https://a.example", "//a.example"],
  ["/etc/sha\ufeffdow", "/etc/sha"],
  ["/etc/sha\u200bdow", "/etc/sha"],
  ["x ab", "b"],
  ["kestrel=abc", "abc"],
  ["x.path=abc", "abc"],
  ["path=x=abc", "abc"],
  ["x=abc", "abc"],
  ['x"abc",def', "abc"],
  ['"abc"def', "abc"],
  ["x=\"abc'", "abc"],
  ["(((((((abc", "abc"],
  ["abc)))))))", "abc"],
])("does not find in %j a part such as %j", (text, one) => {
  expect(found(text, one)).toStrictEqual([]);
});

it("finds all of several", () => {
  expect(found("abc, abc and abc", "abc")).toHaveLength(3);
  expect(findRepetitions("abc of def", ["abc", "def"])).toStrictEqual([
    { start: 0, end: 3 },
    { start: 7, end: 10 },
  ]);
  expect(found("abcabc abc", "abc")).toStrictEqual([[7, "abc"]]);
  expect(found("aaa aa", "aa")).toStrictEqual([[4, "aa"]]);
});

it("finds up to 64 places of one text, and none if there are more than 100 of all", () => {
  expect(found("abc ".repeat(64), "abc")).toHaveLength(64);
  expect(found("abc ".repeat(70), "abc")).toHaveLength(64);
  expect(findRepetitions("abc def ".repeat(50), ["abc", "def"])).toHaveLength(100);
  expect(findRepetitions("abc def ".repeat(51), ["abc", "def"])).toStrictEqual([]);
});

it("knows where a run without white space starts and ends", () => {
  expect([0, 1, 3, 4, 5].map(tokensIn("ab cd").startOf)).toStrictEqual([0, 0, 3, 3, 3]);
  expect([0, 1, 2, 3, 5].map(tokensIn("ab cd").endOf)).toStrictEqual([2, 2, 2, 5, 5]);
  expect([tokensIn("a\ufeffb").startOf(3), tokensIn("a\ufeffb").endOf(0)]).toStrictEqual([0, 3]);
});
