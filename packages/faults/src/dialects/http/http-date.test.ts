import { expect, it } from "vitest";
import { parseHttpDate } from "./http-date.ts";

const TIME = Date.UTC(2026, 9, 21, 7, 28, 0);

it.each([
  ["Wed, 21 Oct 2026 07:28:00 GMT"],
  ["  Wed, 21 Oct 2026 07:28:00 GMT "],
  ["Wednesday, 21-Oct-26 07:28:00 GMT"],
  ["Wed Oct 21 07:28:00 2026"],
])("reads %s", (text) => {
  expect(parseHttpDate(text)).toBe(TIME);
  expect(parseHttpDate(text, TIME)).toBe(TIME);
});

it("reads a one-digit day and a leap second", () => {
  expect(parseHttpDate("Thu Oct  1 07:28:00 2026")).toBe(Date.UTC(2026, 9, 1, 7, 28, 0));
  expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT")).toBe(Date.UTC(2017, 0, 1));
});

it("reads a two-digit year as at most fifty years ahead", () => {
  expect(parseHttpDate("Sunday, 06-Nov-94 08:49:37 GMT", TIME)).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  expect(parseHttpDate("Sunday, 06-Nov-94 08:49:37 GMT")).toBe(Date.UTC(1994, 10, 6, 8, 49, 37));
  expect(parseHttpDate("Friday, 06-Nov-76 08:49:37 GMT", TIME)).toBe(Date.UTC(2076, 10, 6, 8, 49, 37));
  expect(parseHttpDate("Friday, 06-Nov-77 08:49:37 GMT", TIME)).toBe(Date.UTC(1977, 10, 6, 8, 49, 37));
});

it.each([
  undefined,
  "",
  "120",
  "2026-10-21T07:28:00Z",
  "21 Oct 2026 07:28:00 GMT",
  "Wed, 21 Oct 2026 07:28:00 UTC",
  "Wed, 21 Oct 2026 07:28:00 +0000",
  "Wed, 21 Okt 2026 07:28:00 GMT",
  "Wed, 21 Oct 26 07:28:00 GMT",
  "Wed, 32 Oct 2026 07:28:00 GMT",
  "Mon, 31 Feb 2026 07:28:00 GMT",
  "Wed, 21 Oct 2026 24:00:00 GMT",
  "Wed, 21 Oct 2026 07:60:00 GMT",
  "Wed, 21 Oct 2026 07:28:61 GMT",
  `Wed, 21 Oct 2026 07:28:00 GMT${" ".repeat(64)}`,
])("%s is not a date", (text) => {
  expect(parseHttpDate(text, TIME)).toBeUndefined();
});
