import { describe, expect, it } from "vitest";
import { callerTextForms, findRepetitions, MAX_CALLER_TEXTS, readCallerTexts, tokensIn } from "./caller-texts.ts";

describe("readCallerTexts", () => {
  it("collects strings and numbers at any depth, without names of members", () => {
    expect(
      readCallerTexts({ path: " /etc/x ", deep: [{ card: 4111111111111111, flag: true, none: null }] }),
    ).toStrictEqual(["/etc/x", "4111111111111111"]);
    expect(readCallerTexts("file:///a")).toStrictEqual(["file:///a"]);
    expect(readCallerTexts(undefined)).toStrictEqual([]);
    expect(readCallerTexts(Number.NaN)).toStrictEqual([]);
  });

  it("collects the lines of a text with several", () => {
    expect(readCallerTexts(["one\r\ntwo\n \nxy"])).toStrictEqual(["one\r\ntwo\n \nxy", "one", "two"]);
  });

  it("leaves out what is shorter than three characters", () => {
    expect(readCallerTexts(["ab", "abc", 12, 123, " ab "])).toStrictEqual(["abc", "123"]);
  });

  it("collects nothing if there are more than a hundred", () => {
    const many = Array.from({ length: MAX_CALLER_TEXTS }, (_, i) => `text ${i}`);
    expect(readCallerTexts(many)).toHaveLength(100);
    expect(readCallerTexts([...many, "one more"])).toStrictEqual([]);
    expect(readCallerTexts({ lines: "line\n".repeat(100) })).toStrictEqual([]);
    expect(readCallerTexts({ lines: "line\n".repeat(99) })).toHaveLength(100);
  });

  it("collects nothing from more than two thousand values, or from a list that says it is longer", () => {
    const short = (length: number) => Array.from({ length }, () => 0);
    expect(readCallerTexts([...short(1998), "text"])).toStrictEqual(["text"]);
    expect(readCallerTexts([...short(1999), "text"])).toStrictEqual([]);
    const sparse = (length: number) => Object.assign(new Array<string>(length), { 0: "text" });
    expect(readCallerTexts(sparse(2000))).toStrictEqual(["text"]);
    expect(readCallerTexts(sparse(2001))).toStrictEqual([]);
  });

  it("collects texts under up to 32 levels", () => {
    const nested = (levels: number): unknown => (levels === 0 ? "text" : [nested(levels - 1)]);
    expect([readCallerTexts(nested(32)), readCallerTexts(nested(33))]).toStrictEqual([["text"], []]);
  });

  it("ends for values that contain themselves", () => {
    const cycle: Record<string, unknown> = { text: "abc" };
    cycle["itself"] = cycle;
    expect(readCallerTexts(cycle).length).toBeLessThanOrEqual(100);
    const wide: unknown[] = [];
    wide.push(wide, wide);
    expect(readCallerTexts(wide)).toStrictEqual([]);
  });
});

describe("callerTextForms", () => {
  it("has another case only where case means nothing", () => {
    expect(callerTextForms("Ann@Example.com")).toStrictEqual(["Ann@Example.com", "ann@example.com", "ANN@EXAMPLE.COM"]);
    expect(callerTextForms("DB01.Example")).toContain("db01.example");
    expect(callerTextForms("7F3C2A10-5B7E")).toContain("7f3c2a10-5b7e");
    expect(callerTextForms("Hunter2x9")).toStrictEqual(["Hunter2x9"]);
  });

  it("has the form inside a JSON string", () => {
    expect(callerTextForms("C:\\x")).toStrictEqual(["C:\\x", "C:\\\\x"]);
  });

  it("has none for a text that is longer than the filter reads", () => {
    expect(callerTextForms("x y".padEnd(4096, "x"))).toHaveLength(1);
    expect(callerTextForms("x y".padEnd(4097, "x"))).toStrictEqual([]);
  });
});

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
