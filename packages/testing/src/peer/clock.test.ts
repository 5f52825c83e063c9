import { expect, test } from "vitest";
import { createClock, wait } from "./clock.ts";

test("a clock can be advanced", () => {
  const clock = createClock(() => 1_000);
  clock.advance(500);
  clock.advance(1);
  expect(clock.now()).toBe(1_501);
});

test("an abort ends a wait at once", async () => {
  const stop = new AbortController();
  const waiting = wait(3_600_000, stop.signal);
  stop.abort();
  await expect(waiting).resolves.toBeUndefined();
  await expect(wait(3_600_000, AbortSignal.abort())).resolves.toBeUndefined();
});
