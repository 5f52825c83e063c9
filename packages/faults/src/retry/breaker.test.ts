import { describe, expect, it } from "vitest";
import {
  askBreaker,
  type BreakerOptions,
  type BreakerState,
  CLOSED,
  type Evidence,
  type Pass,
  tellBreaker,
  toBreakerRules,
} from "./breaker.ts";

const NORMAL: Pass = { go: true, probe: false };
const PROBE: Pass = { go: true, probe: true };
const at = (nowMs: number, random = 0, options: BreakerOptions = {}) => ({
  nowMs,
  random,
  rules: toBreakerRules(options),
});
const tell = (state: BreakerState, evidence: Evidence, pass = NORMAL, nowMs = 0, random = 0) =>
  tellBreaker(state, pass, evidence, at(nowMs, random));
const closed = (failures: number): BreakerState => ({ at: "closed", failures });
const open = (trips: number, untilMs: number): BreakerState => ({ at: "open", trips, untilMs });
const halfOpen = (trips: number): BreakerState => ({ at: "half-open", trips });

describe("a closed breaker", () => {
  it("lets everything pass", () => {
    expect(askBreaker(closed(4), at(0))).toEqual([NORMAL, closed(4)]);
  });

  it("opens after five failures in a row", () => {
    expect(tell(closed(3), "failing")).toEqual(closed(4));
    expect(tell(closed(4), "failing", NORMAL, 1_000)).toEqual(open(1, 1_500));
    expect(tellBreaker(CLOSED, NORMAL, "failing", at(0, 0, { failures: 1 })).at).toBe("open");
  });

  it("forgets failures when the server shows that it works, and only then", () => {
    expect(tell(closed(4), "alive")).toEqual(CLOSED);
    expect(tell(closed(4), "nothing")).toEqual(closed(4));
  });
});

describe("an open breaker", () => {
  it("refuses until its pause is over, and says how long that is", () => {
    expect(askBreaker(open(1, 1_500.5), at(1_000))).toEqual([{ go: false, afterMs: 501 }, open(1, 1_500.5)]);
  });

  it("then lets one call through", () => {
    expect(askBreaker(open(2, 1_500), at(1_500))).toEqual([PROBE, halfOpen(2)]);
  });

  it.each(["alive", "failing", "nothing"] as const)("is not moved by a call from before: %s", (evidence) => {
    expect(tell(open(1, 1_500), evidence, NORMAL, 9_000)).toEqual(open(1, 1_500));
  });
});

describe("a half-open breaker", () => {
  it("refuses everything but its probe", () => {
    expect(askBreaker(halfOpen(2), at(60_000))).toEqual([{ go: false, afterMs: 1_000 }, halfOpen(2)]);
  });

  it("closes when the probe is answered", () => {
    expect(tell(halfOpen(4), "alive", PROBE)).toEqual(CLOSED);
  });

  it("opens for longer when the probe fails", () => {
    expect(tell(halfOpen(1), "failing", PROBE, 1_000)).toEqual(open(2, 2_000));
    expect(tell(halfOpen(2), "failing", PROBE, 1_000)).toEqual(open(3, 3_000));
  });

  it("gives the place of a probe that was given up to the next call", () => {
    const state = tell(halfOpen(3), "nothing", PROBE, 7_000);
    expect(state).toEqual(open(3, 7_000));
    expect(askBreaker(state, at(7_000))).toEqual([PROBE, halfOpen(3)]);
  });

  it.each(["alive", "failing", "nothing"] as const)("is not moved by a call from before: %s", (evidence) => {
    expect(tell(halfOpen(1), evidence)).toEqual(halfOpen(1));
  });
});

describe("a pause", () => {
  it.each([
    [1, 500, 1_000],
    [2, 1_000, 2_000],
    [3, 2_000, 4_000],
    [4, 2_500, 5_000],
    [5_000, 2_500, 5_000],
  ])("after trip %d is between %d and %d ms", (trips, least, most) => {
    expect(tell(halfOpen(trips - 1), "failing", PROBE, 0, 0)).toEqual(open(trips, least));
    expect(tell(halfOpen(trips - 1), "failing", PROBE, 0, 1)).toEqual(open(trips, most));
  });

  it("may be nothing", () => {
    const next = tellBreaker(halfOpen(5_000), PROBE, "failing", at(7, 0.5, { pauseMs: 0 }));
    expect(next).toEqual(open(5_001, 7));
  });

  it("is never cut below the first one by the cap", () => {
    const next = tellBreaker(halfOpen(1), PROBE, "failing", at(0, 1, { pauseMs: 9_000, capMs: 10 }));
    expect(next).toEqual(open(2, 9_000));
  });
});

describe("the rules", () => {
  it("have defaults, also for numbers that make no sense", () => {
    const defaults = { failures: 5, pauseMs: 1_000, capMs: 5_000 };
    expect(toBreakerRules()).toEqual(defaults);
    expect(toBreakerRules({ failures: 0, pauseMs: -1, capMs: Number.NaN })).toEqual(defaults);
  });
});
