import { describe, expect, it } from "vitest";
import { callerTextsOf, formsOfCallerText, MAX_CALLER_TEXTS } from "./caller-texts.ts";

describe("callerTextsOf", () => {
  it("collects strings and numbers at any depth, without names of members", () => {
    expect(
      callerTextsOf({ path: " /etc/x ", deep: [{ card: 4111111111111111, flag: true, none: null }] }),
    ).toStrictEqual(["/etc/x", "4111111111111111"]);
    expect(callerTextsOf("file:///a")).toStrictEqual(["file:///a"]);
    expect(callerTextsOf(undefined)).toStrictEqual([]);
    expect(callerTextsOf(Number.NaN)).toStrictEqual([]);
  });

  it("collects the lines of a text with several", () => {
    expect(callerTextsOf(["one\r\ntwo\n \nxy"])).toStrictEqual(["one\r\ntwo\n \nxy", "one", "two"]);
  });

  it("leaves out what is shorter than three characters", () => {
    expect(callerTextsOf(["ab", "abc", 12, 123, " ab "])).toStrictEqual(["abc", "123"]);
  });

  it("collects nothing if there are more than a hundred", () => {
    const many = Array.from({ length: MAX_CALLER_TEXTS }, (_, i) => `text ${i}`);
    expect(callerTextsOf(many)).toHaveLength(100);
    expect(callerTextsOf([...many, "one more"])).toStrictEqual([]);
    expect(callerTextsOf({ lines: "line\n".repeat(100) })).toStrictEqual([]);
    expect(callerTextsOf({ lines: "line\n".repeat(99) })).toHaveLength(100);
  });

  it("collects nothing from more than two thousand values, or from a list that says it is longer", () => {
    const short = (length: number) => Array.from({ length }, () => 0);
    expect(callerTextsOf([...short(1998), "text"])).toStrictEqual(["text"]);
    expect(callerTextsOf([...short(1999), "text"])).toStrictEqual([]);
    const sparse = (length: number) => Object.assign(new Array<string>(length), { 0: "text" });
    expect(callerTextsOf(sparse(2000))).toStrictEqual(["text"]);
    expect(callerTextsOf(sparse(2001))).toStrictEqual([]);
  });

  it("collects texts under up to 32 levels", () => {
    const nested = (levels: number): unknown => (levels === 0 ? "text" : [nested(levels - 1)]);
    expect([callerTextsOf(nested(32)), callerTextsOf(nested(33))]).toStrictEqual([["text"], []]);
  });

  it("ends for values that contain themselves", () => {
    const cycle: Record<string, unknown> = { text: "abc" };
    cycle["itself"] = cycle;
    expect(callerTextsOf(cycle).length).toBeLessThanOrEqual(100);
    const wide: unknown[] = [];
    wide.push(wide, wide);
    expect(callerTextsOf(wide)).toStrictEqual([]);
  });
});

describe("formsOfCallerText", () => {
  it("has another case only where case means nothing", () => {
    expect(formsOfCallerText("Ann@Example.com")).toStrictEqual([
      "Ann@Example.com",
      "ann@example.com",
      "ANN@EXAMPLE.COM",
    ]);
    expect(formsOfCallerText("DB01.Example")).toContain("db01.example");
    expect(formsOfCallerText("7F3C2A10-5B7E")).toContain("7f3c2a10-5b7e");
    expect(formsOfCallerText("Hunter2x9")).toStrictEqual(["Hunter2x9"]);
  });

  it("has the form inside a JSON string", () => {
    expect(formsOfCallerText("C:\\x")).toStrictEqual(["C:\\x", "C:\\\\x"]);
  });

  it("has none for a text that is longer than the filter reads", () => {
    expect(formsOfCallerText("x y".padEnd(4096, "x"))).toHaveLength(1);
    expect(formsOfCallerText("x y".padEnd(4097, "x"))).toStrictEqual([]);
  });
});
