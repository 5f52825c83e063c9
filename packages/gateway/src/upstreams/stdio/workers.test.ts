import { expect, test } from "vitest";
import { BackOff } from "./workers.ts";

test("the pause doubles with each crash in a row, up to half a minute, and starts over after a long life", () => {
  let now = 0;
  const backOff = new BackOff(() => now);
  expect(backOff.restMs).toBe(0);
  const pauses = Array.from({ length: 10 }, () => {
    backOff.failed(100);
    return backOff.restMs;
  });
  expect(pauses).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  now = 29_000;
  expect(backOff.restMs).toBe(1_000);
  backOff.failed(10_000);
  expect(backOff.restMs).toBe(0);
});
