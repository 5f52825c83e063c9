import { describe, expect, it } from "vitest";
import { formatDuration, inQuotes } from "./format-value.ts";

describe("inQuotes", () => {
  it.each([
    ["plain", '"plain"'],
    ["", '""'],
    ['say "hi" twice "', "\"say 'hi' twice '\""],
    [7, '"7"'],
    [true, '"true"'],
  ])("%j becomes %s", (value, shown) => {
    expect(inQuotes(value)).toBe(shown);
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [0.4, "0 ms"],
    [1.5, "2 ms"],
    [999, "999 ms"],
    [1_000, "1 s"],
    [1_001, "1 s"],
    [1_050, "1.1 s"],
    [1_500, "1.5 s"],
    [59_999, "60 s"],
    [60_000, "1 min"],
    [60_001, "60 s"],
    [90_000, "90 s"],
    [120_000, "2 min"],
    [3_599_000, "3599 s"],
    [3_600_000, "1 h"],
    [5_400_000, "90 min"],
    [7_200_000, "2 h"],
    [86_399_000, "86399 s"],
    [86_400_000, "1 d"],
    [129_600_000, "36 h"],
    [172_800_000, "2 d"],
    [864_000_000, "10 d"],
  ])("%d ms is %s", (ms, shown) => {
    expect(formatDuration(ms)).toBe(shown);
  });
});
