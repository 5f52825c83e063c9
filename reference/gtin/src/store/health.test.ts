import { expect, test } from "vitest";
import { healthOf } from "./health.ts";

test("the database is asked once in a while, however often somebody wants to know", async () => {
  let now = 0;
  let asked = 0;
  const read = async () => {
    asked += 1;
    if (asked === 2) throw new Error("away");
    return [];
  };
  const health = healthOf({ read }, { freshMs: 1_000, now: () => now });
  expect(await Promise.all([health.isUp(), health.isUp()])).toEqual([true, true]);
  now = 999;
  expect([await health.isUp(), asked]).toEqual([true, 1]);
  now = 1_000;
  expect([await health.isUp(), asked]).toEqual([false, 2]);
  now = 2_000;
  expect([await health.isUp(), asked]).toEqual([true, 3]);
});

test("one that does not answer is down", async () => {
  const health = healthOf({ read: () => new Promise(() => {}) }, { waitMs: 10 });
  expect(await health.isUp()).toBe(false);
});
