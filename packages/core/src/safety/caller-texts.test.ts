import { describe, expect, it } from "vitest";
import { MAX_CALLER_TEXTS, readCallerTexts } from "./caller-texts.ts";

describe("readCallerTexts", () => {
  it("collects strings and numbers at any depth, without names of members", () => {
    expect(
      readCallerTexts({ path: " /etc/x ", deep: [{ card: 4111111111111111, flag: true, none: null }] }),
    ).toStrictEqual(["/etc/x", "4111111111111111"]);
    expect(readCallerTexts("file:///a")).toStrictEqual(["file:///a"]);
    expect(readCallerTexts(undefined)).toStrictEqual([]);
    expect(readCallerTexts(Number.NaN)).toStrictEqual([]);
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
