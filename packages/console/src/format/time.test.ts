import { afterEach, expect, test } from "vitest";
import { choose } from "../state/settings.ts";
import { count, milliseconds, share, withNoun } from "./numbers.ts";
import { ago, clock, day, fullTime, left, span } from "./time.ts";

const AT = "2026-11-16T14:30:33.120Z";
afterEach(() => choose({ zone: "utc" }));

test("times in UTC", () => {
  expect(clock(AT)).toBe("14:30:33");
  expect(clock(AT, { seconds: false })).toBe("14:30");
  expect(day(AT)).toBe("16 Nov 2026");
  expect(fullTime(AT)).toBe("16 Nov 2026, 14:30:33 UTC");
  expect(clock("2026-11-16T00:00:00Z")).toBe("00:00:00");
});

test("the zone is a choice, and is named", () => {
  choose({ zone: "local" });
  expect(fullTime(AT)).toMatch(/^1[67] Nov 2026, \d\d:30:33 local time$|^1[567] Nov 2026, \d\d:\d\d:33 local time$/);
});

test.each([
  [0, "0 s"],
  [59_999, "59 s"],
  [60_000, "1 min"],
  [3_599_999, "59 min"],
  [3_600_000, "1 h"],
  [47 * 3_600_000, "47 h"],
  [48 * 3_600_000, "2 d"],
  [-5_000, "0 s"],
])("%d ms is %s", (ms, words) => {
  expect(span(ms)).toBe(words);
});

test("ages", () => {
  const now = Date.parse(AT);
  expect(ago(AT, now)).toBe("just now");
  expect(ago(AT, now + 3_000)).toBe("3 s ago");
  expect(ago(AT, now - 60_000)).toBe("just now");
});

test("an odd time does not end the page", () => {
  expect([clock("x"), day(Number.NaN), fullTime(""), ago("x", 0)]).toEqual(Array(4).fill("unknown time"));
});

test("what is left", () => {
  expect(left(680_000)).toBe("11 min 20 s");
  expect(left(245_000)).toBe("4 min 05 s");
  expect(left(12_400)).toBe("12 s");
  expect(left(-1)).toBe("0 s");
});

test("numbers", () => {
  expect(count(18_204)).toBe("18,204");
  expect(share(31, 1_000)).toBe("3.1 %");
  expect(share(38, 100)).toBe("38 %");
  expect(share(1, 100_000)).toBe("< 0.1 %");
  expect(share(0, 0)).toBe("0 %");
  expect(milliseconds(2_143.4)).toBe("2,143 ms");
  expect(milliseconds(0.42)).toBe("0.4 ms");
  expect(withNoun(1, "incident")).toBe("1 incident");
  expect(withNoun(2, "incident")).toBe("2 incidents");
});
