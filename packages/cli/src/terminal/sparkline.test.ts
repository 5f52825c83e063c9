import { expect, test } from "vitest";
import { sparkline, sumByTime } from "./sparkline.ts";
import { symbolsFor } from "./terminal.ts";

const UNICODE = { symbols: symbolsFor({ LANG: "en_US.UTF-8" }) };
const ASCII = { symbols: symbolsFor({ LANG: "C" }) };

test.each([
  [[], "", ""],
  [[0, 0, 0], "▁▁▁", "___"],
  [[1], "█", "#"],
  [[0, 1, 2, 3, 4, 5, 6, 7], "▁▂▃▄▅▆▇█", "_.:-=+*#"],
  [[0, 1, 100_000], "▁▂█", "_.#"],
  [[-3, 2], "▁█", "_#"],
])("%j is drawn", (counts, unicode, ascii) => {
  expect(sparkline(counts, UNICODE)).toBe(unicode);
  expect(sparkline(counts, ASCII)).toBe(ascii);
});

test("counts are added up by time", () => {
  const points = [
    { atMs: 999, count: 9 },
    { atMs: 1_000, count: 1 },
    { atMs: 1_499, count: 2 },
    { atMs: 1_500, count: 4 },
    { atMs: 2_000, count: 9 },
    { atMs: Number.NaN, count: 9 },
  ];
  expect(sumByTime(points, { nowMs: 2_000, spanMs: 1_000, parts: 2 })).toEqual([3, 4]);
});
