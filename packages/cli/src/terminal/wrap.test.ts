import { describe, expect, it } from "vitest";
import { layOut } from "./columns.ts";
import { visibleWidth } from "./width.ts";
import { wrap } from "./wrap.ts";

describe("wrap", () => {
  it("breaks between words, and keeps paragraphs", () => {
    expect(wrap("one two three\nfour", { width: 8 })).toEqual(["one two", "three", "four"]);
  });

  it("counts what is seen", () => {
    expect(wrap("\u001b[31mone\u001b[39m two", { width: 7 })).toEqual(["\u001b[31mone\u001b[39m two"]);
    expect(wrap("漢字 漢字", { width: 8 })).toEqual(["漢字", "漢字"]);
  });

  it("indents, the first line in its own way", () => {
    expect(wrap("one two three", { width: 9, indent: "    ", first: "* " })).toEqual(["* one two", "    three"]);
  });

  it("breaks a word that is longer than a line, and never a style", () => {
    expect(wrap("a abcdefghij", { width: 4 })).toEqual(["a", "abcd", "efgh", "ij"]);
    const lines = wrap("\u001b[31mabcdefgh\u001b[39m", { width: 4 });
    expect(lines.map(visibleWidth)).toEqual([4, 4]);
    expect(lines.join("")).toBe("\u001b[31mabcdefgh\u001b[39m");
  });

  it("keeps an empty text as one line", () => {
    expect(wrap("", { width: 10 })).toEqual([""]);
  });
});

describe("layOut", () => {
  const rows = [
    ["a", "the first of all rows in the table"],
    ["long-name", "second"],
  ];

  it("aligns columns and wraps the last one", () => {
    expect(layOut(rows, { width: 38 })).toEqual([
      "  a          the first of all rows in",
      "             the table",
      "  long-name  second",
    ]);
  });

  it("moves the last column below in a narrow terminal", () => {
    expect(layOut(rows, { width: 30 })).toEqual([
      "  a",
      "      the first of all rows in",
      "      the table",
      "  long-name",
      "      second",
    ]);
  });

  it("lays out nothing", () => {
    expect(layOut([], { width: 80 })).toEqual([]);
  });
});
