import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ABORTED, untilAborted } from "./until.ts";

const never = new Promise<never>(() => undefined);

describe("work until an abort", () => {
  it("is the work itself without a signal", () => {
    const work = Promise.resolve(1);
    expect(untilAborted(work, undefined)).toBe(work);
  });

  it("ends as the work ends, and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(untilAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("ends with the abort, though the work goes on", async () => {
    const abort = new AbortController();
    const both = untilAborted(never, abort.signal);
    abort.abort();
    await expect(both).resolves.toBe(ABORTED);
    await expect(untilAborted(never, abort.signal)).resolves.toBe(ABORTED);
  });

  it("swallows what the work does afterwards", async () => {
    const abort = new AbortController();
    let refuse = (_: Error) => {};
    const work = new Promise<never>((_, reject) => {
      refuse = reject;
    });
    const both = untilAborted(work, abort.signal);
    abort.abort();
    await expect(both).resolves.toBe(ABORTED);
    refuse(new Error("late"));
    // An unhandled rejection would fail the run.
    await new Promise(setImmediate);
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  });
});
