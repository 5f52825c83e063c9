import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { sleep } from "../platform/sleep.ts";
import { ABORTED, race, TIMED_OUT } from "./race.ts";
import { runLimited } from "./run-limited.ts";

const never = new Promise<never>(() => {});
const aborted = () => AbortSignal.abort("gone");

test("work that ends in time returns its result, and its listener is removed", async () => {
  const { signal } = new AbortController();
  expect(await race(Promise.resolve(1), { ms: 60_000, sleep, signal })).toBe(1);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a signal that is already aborted counts", async () => {
  expect(await race(never, { signal: aborted() })).toBe(ABORTED);
  expect(await race(never, { ms: 60_000, sleep, signal: aborted() })).toBe(ABORTED);
  expect(await runLimited({ sleep, signal: aborted(), run: () => never })).toBe(ABORTED);
});

test("an abort ends the wait at once, and its listener is removed", async () => {
  const controller = new AbortController();
  const raced = race(never, { ms: 60_000, sleep, signal: controller.signal });
  controller.abort();
  expect(await raced).toBe(ABORTED);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});

test("the time limit ends the wait, and its listener is removed", async () => {
  const { signal } = new AbortController();
  expect(await race(never, { ms: 1, sleep, signal })).toBe(TIMED_OUT);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("without limits only the work counts, and Infinity is not a limit", async () => {
  expect(await race(Promise.resolve(1), {})).toBe(1);
  expect(
    await race(
      sleep(5).then(() => 1),
      { ms: Number.POSITIVE_INFINITY, sleep },
    ),
  ).toBe(1);
});

test("a rejection in time is passed on, and later ones are ignored", async () => {
  await expect(race(Promise.reject(new Error("no")), { ms: 60_000, sleep })).rejects.toThrow("no");
  const late = sleep(10).then(() => {
    throw new Error("late");
  });
  expect(await race(late, { ms: 1, sleep })).toBe(TIMED_OUT);
  await sleep(20);
});

test("a sleep that fails does not count as a time limit", async () => {
  const broken = () => Promise.reject(new Error("no timer"));
  await expect(race(never, { ms: 10, sleep: broken })).rejects.toThrow("no timer");
});

test("work that is stopped gets an abort, and its late result is passed on", async () => {
  const late: unknown[] = [];
  let told: unknown;
  const raced = await runLimited({
    ms: 1,
    sleep,
    run: async (signal) => {
      signal.addEventListener("abort", () => (told = (signal.reason as DOMException).name));
      await sleep(10);
      return "late";
    },
    onLateResult: (result) => late.push(result),
  });
  expect([raced, told]).toEqual([TIMED_OUT, "TimeoutError"]);
  await expect.poll(() => late).toEqual(["late"]);
});

test("work without time is not started", async () => {
  let begun = false;
  const run = () => {
    begun = true;
  };
  expect(await runLimited({ ms: 0, sleep, run })).toBe(TIMED_OUT);
  expect(begun).toBe(false);
});
