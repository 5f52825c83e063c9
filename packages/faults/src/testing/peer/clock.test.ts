import { expect, test } from "vitest";
import { createClock, wait, within } from "./clock.ts";

const never = new AbortController().signal;
const late = () => new Error("late");

test("time passes faster when it is told to", () => {
  const clock = createClock(() => 1_000);
  clock.pass(500);
  clock.pass(1);
  expect(clock.now()).toBe(1_501);
});

test("a wait ends at once when nobody cares any more", async () => {
  const stop = new AbortController();
  const waiting = wait(3_600_000, stop.signal);
  stop.abort();
  await expect(waiting).resolves.toBeUndefined();
  await expect(wait(3_600_000, AbortSignal.abort())).resolves.toBeUndefined();
});

test("what ends in time gives its result, also when it is not asynchronous", async () => {
  expect(await within(60_000, { signal: never, late }, () => 7)).toBe(7);
  await expect(
    within(60_000, { signal: never, late }, () => {
      throw new Error("own");
    }),
  ).rejects.toThrow("own");
});

test("what takes too long is told to stop", async () => {
  let told: AbortSignal | undefined;
  const running = within(5, { signal: never, late }, (signal) => {
    told = signal;
    return new Promise<never>(() => {});
  });
  await expect(running).rejects.toThrow("late");
  expect(told?.aborted).toBe(true);
});
