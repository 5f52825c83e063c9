import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/retry/clock.ts";
import { ABORTED, TIMED_OUT } from "./race.ts";
import { runLimited } from "./run-limited.ts";

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

  it("ignores a late rejection", async () => {
    const clock = new VirtualClock();
    const run = () => clock.sleep(25).then(() => Promise.reject(new Error("too late")));
    const outcome = runLimited({ ms: 10, sleep: clock.sleep, run });
    await clock.run();
    expect(await outcome).toBe(TIMED_OUT);
  });
});
