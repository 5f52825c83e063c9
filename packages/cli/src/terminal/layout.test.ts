import { describe, expect, it } from "vitest";
import { cutTo, layOut, padTo, visibleWidth, wrapText } from "./layout.ts";
import { outputWidth } from "./terminal.ts";

it.each([
  ["plain", 5],
  ["\u001b[31mred\u001b[39m", 3],
  ["漢字", 4],
  ["✔ ok", 4],
  ["e\u0301", 1],
  ["🚀", 2],
  ["", 0],
])("%j takes its columns", (text, width) => {
  expect(visibleWidth(text)).toBe(width);
});

it("takes the width of the terminal, then COLUMNS, then 80", () => {
  expect(outputWidth({ columns: 120 }, { COLUMNS: "60" })).toBe(120);
  expect(outputWidth({}, { COLUMNS: "60" })).toBe(60);
  expect(outputWidth({}, { COLUMNS: "wide" })).toBe(80);
  expect(outputWidth({ columns: 0 })).toBe(80);
  expect(outputWidth({ columns: 3 })).toBe(20);
});

it("pads and cuts by columns", () => {
  expect(padTo("漢", 4)).toBe("漢  ");
  expect(cutTo("漢字漢字", 5)).toBe("漢字…");
  expect(cutTo("short", 5)).toBe("short");
  expect(cutTo("a longer one", 8, "...")).toBe("a lon...");
});

describe("wrap", () => {
  it("breaks between words, and keeps paragraphs", () => {
    expect(wrapText("one two three\nfour", { width: 8 })).toEqual(["one two", "three", "four"]);
  });

  it("counts what is seen", () => {
    expect(wrapText("\u001b[31mone\u001b[39m two", { width: 7 })).toEqual(["\u001b[31mone\u001b[39m two"]);
    expect(wrapText("漢字 漢字", { width: 8 })).toEqual(["漢字", "漢字"]);
  });

  it("indents, the first line in its own way", () => {
    expect(wrapText("one two three", { width: 9, indent: "    ", first: "* " })).toEqual(["* one two", "    three"]);
  });

  it("breaks a word that is longer than a line, and never a style", () => {
    expect(wrapText("a abcdefghij", { width: 4 })).toEqual(["a", "abcd", "efgh", "ij"]);
    const lines = wrapText("\u001b[31mabcdefgh\u001b[39m", { width: 4 });
    expect(lines.map(visibleWidth)).toEqual([4, 4]);
    expect(lines.join("")).toBe("\u001b[31mabcdefgh\u001b[39m");
  });

  it("keeps an empty text as one line", () => {
    expect(wrapText("", { width: 10 })).toEqual([""]);
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
