import { expect, it } from "vitest";
import { findRepetitions } from "./repetitions.ts";

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
])("does not find in %j a part such as %j", (text, one) => {
  expect(found(text, one)).toStrictEqual([]);
});

it("finds all of several, and none if there are too many", () => {
  expect(found("abc, abc and abc", "abc")).toHaveLength(3);
  expect(findRepetitions("abc def ".repeat(60), ["abc", "def"])).toStrictEqual([]);
});
