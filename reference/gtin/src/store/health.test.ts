import { expect, test } from "vitest";
import { createHealth } from "./health.ts";

test("the database is queried once per interval", async () => {
  let now = 0;
  let asked = 0;
  const read = async () => {
    asked += 1;
    if (asked === 2) throw new Error("away");
    return [];
  };
  const health = createHealth({ read }, { maxAgeMs: 1_000, now: () => now });
  expect(await Promise.all([health.isUp(), health.isUp()])).toEqual([true, true]);
  now = 999;
  expect([await health.isUp(), asked]).toEqual([true, 1]);
  now = 1_000;
  expect([await health.isUp(), asked]).toEqual([false, 2]);
  now = 2_000;
  expect([await health.isUp(), asked]).toEqual([true, 3]);
});

test("a database that does not answer is down", async () => {
  const health = createHealth({ read: () => new Promise(() => {}) }, { timeoutMs: 10 });
  expect(await health.isUp()).toBe(false);
});
