import { describe, expect, it } from "vitest";
import { MIN_STRING_LENGTH, StringSearch } from "./string-search.ts";

function searchFor(...texts: readonly string[]): StringSearch {
  const search = new StringSearch();
  for (const text of texts) search.add(text);
  return search;
}

describe("StringSearch", () => {
  it("finds nothing before a string was added", () => {
    const search = new StringSearch();
    expect([search.foundIn("abcdef"), search.foundIn(""), search.shortest]).toStrictEqual([
      false,
      false,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it("finds a string at the start, in the middle, at the end, and alone", () => {
    const search = searchFor("needle");
    const texts = ["needle", "needle in hay", "hay needle hay", "hay needle", "neeneedle"];
    expect(texts.filter((text) => search.foundIn(text))).toStrictEqual(texts);
    expect(["needl", "eedle", "need le", "Needle", "elneed"].filter((text) => search.foundIn(text))).toStrictEqual([]);
  });

  it("knows the shortest string that was ever added", () => {
    const search = searchFor("a longer one", "needle", "another one");
    expect(search.shortest).toBe(MIN_STRING_LENGTH);
    search.remove("needle");
    expect(search.shortest).toBe(MIN_STRING_LENGTH);
  });

  it("finds strings that share their start, their end, or all but one character", () => {
    const texts = Array.from({ length: 300 }, (_, i) => `prefix-${i}-suffix`);
    const search = searchFor(...texts);
    expect(texts.filter((text) => !search.foundIn(`a ${text} b`))).toStrictEqual([]);
    expect(
      ["prefix-300-suffix", "prefix--suffix", "prefix-1-suffi"].filter((text) => search.foundIn(text)),
    ).toStrictEqual([]);
  });

  it("finds a string whose anchor stands in another one", () => {
    const search = searchFor("abcdef", "abcdefgh", "xxabcdef");
    search.remove("abcdef");
    expect([search.foundIn("abcdef"), search.foundIn("abcdefgh"), search.foundIn("xxabcdef")]).toStrictEqual([
      false,
      true,
      true,
    ]);
  });

  it("keeps strings apart that can have the same anchor only", () => {
    const search = searchFor("a".repeat(6), "a".repeat(8), "a".repeat(10));
    search.remove("a".repeat(6));
    expect([7, 8, 10].map((length) => search.foundIn("a".repeat(length)))).toStrictEqual([false, true, true]);
    search.remove("a".repeat(8));
    expect([8, 9, 10].map((length) => search.foundIn("a".repeat(length)))).toStrictEqual([false, false, true]);
    search.remove("a".repeat(10));
    expect(search.foundIn("a".repeat(10))).toBe(false);
  });

  it("finds a string until each addition was taken back", () => {
    const search = searchFor("needle", "needle");
    search.remove("needle");
    expect(search.foundIn("needle")).toBe(true);
    search.remove("needle");
    expect(search.foundIn("needle")).toBe(false);
    search.remove("needle");
    search.add("needle");
    expect(search.foundIn("needle")).toBe(true);
  });

  it("finds strings of all characters, also beyond 16 bits", () => {
    const search = searchFor("😀😀😀", "\u0000\uffff\u0000\uffff\u0000\uffff");
    expect([search.foundIn("a😀😀😀b"), search.foundIn("\u0000\uffff\u0000\uffff\u0000\uffff")]).toStrictEqual([
      true,
      true,
    ]);
    expect(search.foundIn("😀😀a😀")).toBe(false);
  });
});
