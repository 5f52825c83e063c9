import { expect, it } from "vitest";
import { parseDuration, parseRate, parseSize } from "./leaves.ts";

it.each([
  ["500ms", 500],
  ["30s", 30_000],
  ["1.5s", 1_500],
  ["15m", 900_000],
  ["2h", 7_200_000],
])("reads the duration %s", (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

it.each([
  ["100B", 100],
  ["512KiB", 524_288],
  ["4MiB", 4_194_304],
  ["1GiB", 1_073_741_824],
])("reads the size %s", (text, size) => {
  expect(parseSize(text)).toBe(size);
});

it.each([
  ["20/s", { perSecond: 20, burst: 20 }],
  ["0.5/s", { perSecond: 0.5, burst: 1 }],
  ["90/m", { perSecond: 1.5, burst: 2 }],
  ["1800/h", { perSecond: 0.5, burst: 1 }],
  [
    { rate: "20/s", burst: 40 },
    { perSecond: 20, burst: 40 },
  ],
])("reads the rate %j", (raw, rate) => {
  expect(parseRate(raw)).toEqual(rate);
});
