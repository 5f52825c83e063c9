import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../faults/test/retry/clock.ts";
import { LATE, limited, STOPPED } from "./limit.ts";

describe("limited", () => {
  it("gives the result of work that ends in time, and the throw of work that fails", async () => {
    const clock = new VirtualClock();
    expect(await limited({ ms: 10, clock, run: () => "done" })).toBe("done");
    const run = () => {
      throw new Error("broken");
    };
    await expect(limited({ ms: 10, clock, run })).rejects.toThrow("broken");
  });

  it("gives up on time, tells the work so, and hands on what comes late", async () => {
    const clock = new VirtualClock();
    const late: unknown[] = [];
    let seen: AbortSignal | undefined;
    const outcome = limited({
      ms: 10,
      clock,
      run: (signal) => {
        seen = signal;
        return clock.sleep(25).then(() => "late");
      },
      onLate: (result) => late.push(result),
    });
    await clock.run(10);
    expect(await outcome).toBe(LATE);
    expect(seen?.aborted).toBe(true);
    await clock.run();
    expect(late).toEqual(["late"]);
  });

  it("stops when nobody waits, and does not begin when nobody ever did", async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    let seen: AbortSignal | undefined;
    const outcome = limited({
      ms: 10,
      clock,
      signal: stop.signal,
      run: (signal) => {
        seen = signal;
        return clock.sleep(1_000);
      },
    });
    stop.abort(new Error("enough"));
    expect(await outcome).toBe(STOPPED);
    expect(seen?.reason).toMatchObject({ message: "enough" });
    const run = () => expect.unreachable();
    expect(await limited({ ms: 10, clock, signal: stop.signal, run })).toBe(STOPPED);
  });

  it("drops what is thrown too late", async () => {
    const clock = new VirtualClock();
    const run = () => clock.sleep(25).then(() => Promise.reject(new Error("too late")));
    const outcome = limited({ ms: 10, clock, run });
    await clock.run();
    expect(await outcome).toBe(LATE);
  });
});
