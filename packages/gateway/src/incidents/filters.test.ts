import { expect, it } from "vitest";
import { countRanges } from "./filters.ts";

const NOW = Date.parse("2026-03-10T12:30:30Z");
const at = (text: string) => `2026-03-${text}Z`;
const ranges = (since?: string, until?: string) =>
  countRanges({ since, until }, NOW).map(
    ({ width, fromMs, untilMs }) =>
      `${width} ${new Date(fromMs).toISOString().slice(8, 16)} ${new Date(untilMs).toISOString().slice(8, 16)}`,
  );

it.each([
  [
    "minutes at both ends",
    at("10T08:20:30"),
    at("10T11:10:10"),
    ["1 10T08:20 10T09:00", "60 10T09:00 10T11:00", "1 10T11:00 10T11:11"],
  ],
  ["whole hours", at("10T08:00:00"), at("10T10:00:00"), ["60 10T08:00 10T10:00"]],
  ["within one hour", at("10T08:10:00"), at("10T08:20:00"), ["1 10T08:10 10T08:20"]],
  ["until now", at("10T11:30:00"), undefined, ["1 10T11:30 10T12:00", "60 10T12:00 10T14:00"]],
  ["hours only where minutes are gone", at("01T08:20:00"), at("02T09:10:00"), ["60 01T08:00 02T10:00"]],
  [
    "whole days between",
    at("01T22:00:00"),
    at("04T02:00:00"),
    ["60 01T22:00 02T00:00", "1440 02T00:00 04T00:00", "60 04T00:00 04T02:00"],
  ],
  ["nothing", at("10T08:10:00"), at("10T08:10:00"), []],
])("%s", (_, since, until, expected) => {
  expect(ranges(since, until)).toEqual(expected);
});
