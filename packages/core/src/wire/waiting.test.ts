import { getEventListeners } from "node:events";
import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { describe, expect, it, test } from "vitest";
import { idGenerator } from "./ids.ts";
import { ABORTED, race, runLimited, sleep, TIMED_OUT } from "./waiting.ts";

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
  const work = new Promise((resolve) => setImmediate(resolve, 1));
  expect(await race(work, { ms: Number.POSITIVE_INFINITY, sleep })).toBe(1);
});

test("a rejection in time is passed on, and later ones are ignored", async () => {
  await expect(race(Promise.reject(new Error("no")), { ms: 60_000, sleep })).rejects.toThrow("no");
  const late = Promise.withResolvers<never>();
  expect(await race(late.promise, { ms: 1, sleep })).toBe(TIMED_OUT);
  late.reject(new Error("late"));
  // A rejection that nobody handles would be reported by now.
  await new Promise(setImmediate);
});

test("a sleep that fails does not count as a time limit", async () => {
  const broken = () => Promise.reject(new Error("no timer"));
  await expect(race(never, { ms: 10, sleep: broken })).rejects.toThrow("no timer");
});

test("work without time is not started", async () => {
  let begun = false;
  const run = () => {
    begun = true;
  };
  expect(await runLimited({ ms: 0, sleep, run })).toBe(TIMED_OUT);
  expect(begun).toBe(false);
});

describe("runLimited", () => {
  it("returns the result of work that ends in time, and rejects if it fails", async () => {
    const clock = new VirtualClock();
    expect(await runLimited({ ms: 10, sleep: clock.sleep, run: () => "done" })).toBe("done");
    const run = () => {
      throw new Error("broken");
    };
    await expect(runLimited({ ms: 10, sleep: clock.sleep, run })).rejects.toThrow("broken");
  });

  it("stops in time, aborts the work, and passes a late result on", async () => {
    const clock = new VirtualClock();
    const late: unknown[] = [];
    let seen: AbortSignal | undefined;
    const outcome = runLimited({
      ms: 10,
      sleep: clock.sleep,
      run: (signal) => {
        seen = signal;
        return clock.sleep(25).then(() => "late");
      },
      onLateResult: (result) => late.push(result),
    });
    await clock.run(10);
    expect(await outcome).toBe(TIMED_OUT);
    expect(seen?.aborted).toBe(true);
    await clock.run();
    expect(late).toEqual(["late"]);
  });

  it("stops if the caller no longer waits, and does not start if the caller never did", async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    let seen: AbortSignal | undefined;
    const outcome = runLimited({
      ms: 10,
      sleep: clock.sleep,
      signal: stop.signal,
      run: (signal) => {
        seen = signal;
        return clock.sleep(1_000);
      },
    });
    stop.abort(new Error("enough"));
    expect(await outcome).toBe(ABORTED);
    expect(seen?.reason).toMatchObject({ message: "enough" });
    const run = () => expect.unreachable();
    expect(await runLimited({ ms: 10, sleep: clock.sleep, signal: stop.signal, run })).toBe(ABORTED);
  });
});

it("sleeps, and removes its listener", async () => {
  const { signal } = new AbortController();
  await sleep(1, signal); // what is tested
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("wakes at once when it is aborted, before or while it sleeps", async () => {
  const controller = new AbortController();
  const asleep = sleep(60_000, controller.signal); // aborted below
  controller.abort("enough");
  await expect(asleep).rejects.toBe("enough");
  await expect(sleep(60_000, controller.signal)).rejects.toBe("enough"); // aborted before
});

it("creates ids that differ and sort by time", () => {
  let now = 0;
  const createId = idGenerator(() => now++);
  const ids = Array.from({ length: 1_000 }, createId);
  expect(new Set(ids.map((id) => id.slice(10))).size).toBe(1_000);
  expect(ids.every((id) => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id))).toBe(true);
  expect(ids.toSorted()).toEqual(ids);
});
