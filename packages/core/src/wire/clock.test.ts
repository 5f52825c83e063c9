import { expect, it } from "vitest";
import { systemClock, toClock } from "./clock.ts";

it("is the clock of the platform, if nothing is replaced", () => {
  expect(toClock()).toBe(systemClock);
  const { now, monotonic } = toClock({});
  expect(Math.abs(now() - Date.now())).toBeLessThan(1_000);
  expect(monotonic()).toBeLessThanOrEqual(performance.now());
});

it("replaces single functions", async () => {
  const waits: number[] = [];
  const clock = toClock({ clock: { now: () => 5, sleep: async (ms) => waits.push(ms) } });
  expect(clock.now()).toBe(5);
  expect(clock.monotonic).toBe(systemClock.monotonic);
  await clock.sleep(70_000);
  expect(waits).toEqual([70_000]);
});
