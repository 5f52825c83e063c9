import { expect, test } from "vitest";
import { createClock, wait, withTimeout } from "./clock.ts";

const options = { signal: new AbortController().signal, timeoutError: () => new Error("late") };

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

test("work that ends in time gives its result, synchronous work too", async () => {
  expect(await withTimeout(60_000, options, () => 7)).toBe(7);
  await expect(
    withTimeout(60_000, options, () => {
      throw new Error("own");
    }),
  ).rejects.toThrow("own");
});

test("work that takes too long is aborted", async () => {
  let given: AbortSignal | undefined;
  const running = withTimeout(5, options, (signal) => {
    given = signal;
    return new Promise<never>(() => {});
  });
  await expect(running).rejects.toThrow("late");
  expect(given?.aborted).toBe(true);
});
