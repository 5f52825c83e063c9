import { describe, expect, it } from "vitest";
import { KINDS, type StatedKind } from "../fault/kinds.ts";
import { fail } from "../reasons/fail.ts";
import { unrecognised } from "../reasons/library/core.ts";
import { breaker_open, not_connected } from "../reasons/library/transport.ts";
import {
  type BreakerOptions,
  type BreakerPass,
  type BreakerSignal,
  type BreakerState,
  breakerSignalOf,
  CLOSED,
  recordSignal,
  requestPass,
  toBreakerRules,
} from "./breaker.ts";

const NORMAL: BreakerPass = { go: true, probe: false };
const PROBE: BreakerPass = { go: true, probe: true };
const at = (nowMs: number, random = 0, options: BreakerOptions = {}) => ({
  nowMs,
  random,
  rules: toBreakerRules(options),
});
const record = (state: BreakerState, signal: BreakerSignal, pass = NORMAL, nowMs = 0, random = 0) =>
  recordSignal(state, pass, signal, at(nowMs, random));
const closed = (failures: number): BreakerState => ({ at: "closed", failures });
const open = (trips: number, untilMs: number): BreakerState => ({ at: "open", trips, untilMs });
const halfOpen = (trips: number): BreakerState => ({ at: "half-open", trips });

describe("a closed breaker", () => {
  it("sends every call", () => {
    expect(requestPass(closed(4), at(0))).toEqual([NORMAL, closed(4)]);
  });

  it("opens after five failures in a row", () => {
    expect(record(closed(3), "failure")).toEqual(closed(4));
    expect(record(closed(4), "failure", NORMAL, 1_000)).toEqual(open(1, 1_500));
    expect(recordSignal(CLOSED, NORMAL, "failure", at(0, 0, { failures: 1 })).at).toBe("open");
  });

  it("forgets failures after a success, and only then", () => {
    expect(record(closed(4), "success")).toEqual(CLOSED);
    expect(record(closed(4), "ignored")).toEqual(closed(4));
  });
});

describe("an open breaker", () => {
  it("refuses calls until its pause is over, and says how long that takes", () => {
    expect(requestPass(open(1, 1_500.5), at(1_000))).toEqual([{ go: false, afterMs: 501 }, open(1, 1_500.5)]);
  });

  it("then sends one call", () => {
    expect(requestPass(open(2, 1_500), at(1_500))).toEqual([PROBE, halfOpen(2)]);
  });

  it.each(["success", "failure", "ignored"] as const)("is not changed by an earlier call: %s", (signal) => {
    expect(record(open(1, 1_500), signal, NORMAL, 9_000)).toEqual(open(1, 1_500));
  });
});

describe("a half-open breaker", () => {
  it("refuses all calls except the probe", () => {
    expect(requestPass(halfOpen(2), at(60_000))).toEqual([{ go: false, afterMs: 1_000 }, halfOpen(2)]);
  });

  it("closes when the probe is answered", () => {
    expect(record(halfOpen(4), "success", PROBE)).toEqual(CLOSED);
  });

  it("opens for longer when the probe fails", () => {
    expect(record(halfOpen(1), "failure", PROBE, 1_000)).toEqual(open(2, 2_000));
    expect(record(halfOpen(2), "failure", PROBE, 1_000)).toEqual(open(3, 3_000));
  });

  it("makes the next call the probe if the probe showed nothing", () => {
    const state = record(halfOpen(3), "ignored", PROBE, 7_000);
    expect(state).toEqual(open(3, 7_000));
    expect(requestPass(state, at(7_000))).toEqual([PROBE, halfOpen(3)]);
  });

  it.each(["success", "failure", "ignored"] as const)("is not changed by an earlier call: %s", (signal) => {
    expect(record(halfOpen(1), signal)).toEqual(halfOpen(1));
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
    expect(record(halfOpen(trips - 1), "failure", PROBE, 0, 0)).toEqual(open(trips, least));
    expect(record(halfOpen(trips - 1), "failure", PROBE, 0, 1)).toEqual(open(trips, most));
  });

  it("may be zero", () => {
    const next = recordSignal(halfOpen(5_000), PROBE, "failure", at(7, 0.5, { pauseMs: 0 }));
    expect(next).toEqual(open(5_001, 7));
  });

  it("is never shorter than the first one", () => {
    const next = recordSignal(halfOpen(1), PROBE, "failure", at(0, 1, { pauseMs: 9_000, capMs: 10 }));
    expect(next).toEqual(open(2, 9_000));
  });
});

describe("the rules", () => {
  it("have defaults, also for numbers out of range", () => {
    const defaults = { failures: 5, pauseMs: 1_000, capMs: 5_000 };
    expect(toBreakerRules()).toEqual(defaults);
    expect(toBreakerRules({ failures: 0, pauseMs: -1, capMs: Number.NaN })).toEqual(defaults);
  });
});

const FAILING = ["overloaded", "timeout", "unavailable", "upstream_failed", "internal"];
const kinds = Object.keys(KINDS).filter((kind) => kind !== "unknown" && kind !== "cancelled") as StatedKind[];

describe("what a failure shows about the server", () => {
  it.each(kinds)("%s", (kind) => {
    expect(breakerSignalOf(fail[kind]`It failed.`.fault)).toBe(FAILING.includes(kind) ? "failure" : "success");
  });

  it("is ignored when it was cancelled, not understood, or guessed", () => {
    expect(breakerSignalOf(fail.cancelled`Gone.`.fault)).toBe("ignored");
    expect(breakerSignalOf(unrecognised.fault())).toBe("ignored");
    expect(breakerSignalOf(fail.unavailable({ basis: "guessed" })`Gone.`.fault)).toBe("ignored");
    expect(breakerSignalOf(fail.not_found({ basis: "guessed" })`Gone.`.fault)).toBe("ignored");
  });

  it("is ignored when the client itself refused, but a timeout that the client noticed counts", () => {
    expect(breakerSignalOf(breaker_open.fault())).toBe("ignored");
    expect(breakerSignalOf(not_connected.fault())).toBe("ignored");
    expect(breakerSignalOf(fail.invalid_input({ origin: { layer: "client" } })`Wrong.`.fault)).toBe("ignored");
    expect(breakerSignalOf(fail.timeout({ origin: { layer: "client" } })`Late.`.fault)).toBe("failure");
  });
});
