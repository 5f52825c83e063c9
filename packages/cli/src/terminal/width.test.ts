import { expect, it } from "vitest";
import { cutTo, padTo, visibleWidth, widthOf } from "./width.ts";

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
  expect(widthOf({ columns: 120 }, { COLUMNS: "60" })).toBe(120);
  expect(widthOf({}, { COLUMNS: "60" })).toBe(60);
  expect(widthOf({}, { COLUMNS: "wide" })).toBe(80);
  expect(widthOf({ columns: 0 })).toBe(80);
  expect(widthOf({ columns: 3 })).toBe(20);
});

it("pads and cuts by columns", () => {
  expect(padTo("漢", 4)).toBe("漢  ");
  expect(cutTo("漢字漢字", 5)).toBe("漢字…");
  expect(cutTo("short", 5)).toBe("short");
  expect(cutTo("a longer one", 8, "...")).toBe("a lon...");
});
