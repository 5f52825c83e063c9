import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, compilePatterns } from "./name-pattern.ts";

describe("compilePattern", () => {
  it.each([
    ["shop__buy", "shop__buy", true],
    ["shop__buy", "shop__buys", false],
    ["*", "", true],
    ["*", "anything", true],
    ["shop__*", "shop__", true],
    ["shop__*", "shop__buy", true],
    ["shop__*", "crm__buy", false],
    ["*__read", "shop__read", true],
    ["*__read", "shop__read2", false],
    ["a*b*c", "abc", true],
    ["a*b*c", "axxbyyc", true],
    ["a*b*c", "ac", false],
    ["ab*ba", "aba", false],
    ["a*a", "a", false],
    ["shop.*", "shopx", false],
  ])("%s on %s: %s", (pattern, name, expected) => {
    expect(compilePattern(pattern)(name)).toBe(expected);
  });

  it("agrees with a regular expression", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
    const name = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
    fc.assert(
      fc.property(word, name, (pattern, text) => {
        const expected = new RegExp(`^${pattern.replaceAll(/\*+/g, ".*")}$`).test(text);
        expect(compilePattern(pattern)(text)).toBe(expected);
      }),
    );
  });
});

describe("compilePatterns", () => {
  it("needs one pattern that matches", () => {
    const test = compilePatterns(["a*", "b"]);
    expect([test("ab"), test("b"), test("c")]).toEqual([true, true, false]);
    expect(compilePatterns([])("a")).toBe(false);
  });
});
