import { describe, expect, it } from "vitest";
import type { Fault } from "../fault/fault.ts";
import { KINDS, type StatedKind } from "../fault/kinds.ts";
import { fail } from "../reasons/fail.ts";
import { unrecognised } from "../reasons/library/core.ts";
import { failed as tool_failed } from "../reasons/library/tool.ts";
import { breaker_open, connection_lost, unreachable } from "../reasons/library/transport.ts";
import {
  type AttemptResponse,
  type BreakerOptions,
  type BreakerPermit,
  type BreakerSignal,
  type BreakerState,
  breakerSignals,
  isFullWait,
  LostCalls,
  readAttemptResponse,
  recordSignal,
  requestPermit,
  toBreakerRules,
} from "./breaker.ts";

const NORMAL: BreakerPermit = { go: true, probe: false };
const PROBE: BreakerPermit = { go: true, probe: true };
const at = (nowMs: number, random = 0, options: BreakerOptions = {}) => ({
  nowMs,
  random,
  rules: toBreakerRules(options),
});
const record = (state: BreakerState, signal: BreakerSignal, pass = NORMAL, nowMs = 0, random = 0) =>
  recordSignal(state, pass, signal, at(nowMs, random));
const open = (trips: number, untilMs: number): BreakerState => ({ at: "open", trips, untilMs });
const halfOpen = (trips: number): BreakerState => ({ at: "half-open", trips });

describe("an open breaker", () => {
  it.each(["success", "failure", "ignored"] as const)("is not changed by an earlier call: %s", (signal) => {
    expect(record(open(1, 1_500), signal, NORMAL, 9_000)).toEqual(open(1, 1_500));
  });
});

describe("a half-open breaker", () => {
  it("refuses all calls except the probe", () => {
    expect(requestPermit(halfOpen(2), at(60_000))).toEqual([{ go: false, afterMs: 1_000 }, halfOpen(2)]);
  });

  it("makes the next call the probe if the probe showed nothing", () => {
    const state = record(halfOpen(3), "ignored", PROBE, 7_000);
    expect(state).toEqual(open(3, 7_000));
    expect(requestPermit(state, at(7_000))).toEqual([PROBE, halfOpen(3)]);
  });

  it.each(["success", "failure", "ignored"] as const)("is not changed by an earlier call: %s", (signal) => {
    expect(record(halfOpen(1), signal)).toEqual(halfOpen(1));
  });
});

describe("a pause", () => {
  it("may be zero", () => {
    const next = recordSignal(halfOpen(5_000), PROBE, "failure", at(7, 0.5, { pauseMs: 0 }));
    expect(next).toEqual(open(5_001, 7));
  });

  it("is never shorter than the first one", () => {
    const next = recordSignal(halfOpen(1), PROBE, "failure", at(0, 1, { pauseMs: 9_000, maxPauseMs: 10 }));
    expect(next).toEqual(open(2, 9_000));
  });
});

describe("the rules", () => {
  it("have defaults", () => {
    expect(toBreakerRules()).toEqual({ failures: 5, pauseMs: 1_000, maxPauseMs: 5_000 });
  });

  it.each([{ failures: 0 }, { pauseMs: -1 }, { maxPauseMs: Number.NaN }])("refuse %o", (options) => {
    expect(() => toBreakerRules(options)).toThrow(`breaker.${Object.keys(options)[0]} must be a number of`);
  });
});

const FAILING = ["overloaded", "timeout", "unavailable", "upstream_failed", "internal"];
const kinds = Object.keys(KINDS).filter((kind) => kind !== "unknown" && kind !== "cancelled") as StatedKind[];
const KNOWN = { waitedFully: true, severalLost: true } as const;
const answered = (fault: Fault) => breakerSignals(fault, { ...KNOWN, response: "answer" });
const TRANSPORT = { origin: { layer: "transport" } } as const;
const CLIENT = { origin: { layer: "client" } } as const;

describe("what a failure shows", () => {
  it.each(kinds)("%s in an answer: the server works, and at most its tool fails", (kind) => {
    const tool = FAILING.includes(kind) ? "failure" : "success";
    expect(answered(fail[kind]`It failed.`.fault)).toEqual({ server: "success", tool });
  });

  it("is that both work where a tool only says so in a sentence", () => {
    for (const fault of [tool_failed.fault(), unrecognised.fault(), fail.timeout({ basis: "guessed" })`Late.`.fault])
      expect(answered(fault)).toEqual({ server: "success", tool: "success" });
  });

  it("is nothing about the tool where the server refused on behalf of another, or the call was cancelled", () => {
    for (const fault of [breaker_open.fault(), fail.cancelled`Gone.`.fault]) {
      expect(answered(fault)).toEqual({ server: "success", tool: "ignored" });
      expect(breakerSignals(fault, { ...KNOWN, response: "silence" })).toEqual({ server: "ignored", tool: "ignored" });
    }
  });

  it("is that the server fails where it cannot be reached, whatever was called", () => {
    const signals = breakerSignals(unreachable.fault({}, TRANSPORT), { ...KNOWN, response: "unreached" });
    expect(signals).toEqual({ server: "failure", tool: "ignored" });
  });

  it("is that the tool fails where its call was lost, and the server only where others were lost too", () => {
    const fault = connection_lost.fault({}, TRANSPORT);
    const lost = (severalLost: boolean) => breakerSignals(fault, { response: "lost", waitedFully: true, severalLost });
    expect(lost(false)).toEqual({ server: "ignored", tool: "failure" });
    expect(lost(true)).toEqual({ server: "failure", tool: "failure" });
  });

  it("is that the tool fails where no answer came in the time that this side allows, and nothing in less time", () => {
    const late = fail.timeout(CLIENT)`Late.`.fault;
    const waited = (waitedFully: boolean) =>
      breakerSignals(late, { response: "silence", waitedFully, severalLost: false });
    expect(waited(true)).toEqual({ server: "ignored", tool: "failure" });
    expect(waited(false)).toEqual({ server: "ignored", tool: "ignored" });
  });
});

describe("what came back", () => {
  it.each<[string, Fault, number | undefined, AttemptResponse]>([
    ["a fault of the server", fail.internal`Broken.`.fault, undefined, "answer"],
    ["a fault of a gateway", fail.unavailable({ origin: { layer: "gateway" } })`Gone.`.fault, undefined, "answer"],
    ["HTTP 401", fail.unauthenticated(TRANSPORT)`Who?`.fault, 401, "answer"],
    ["HTTP 500 without a message", fail.upstream_failed(TRANSPORT)`Broken.`.fault, 500, "answer"],
    ["HTTP 502 without a message", fail.upstream_failed(TRANSPORT)`Gone.`.fault, 502, "lost"],
    ["HTTP 503 with a message", fail.overloaded`Busy.`.fault, 503, "answer"],
    ["HTTP 504 without a message", fail.timeout(TRANSPORT)`Late.`.fault, 504, "lost"],
    ["no connection", unreachable.fault({}, TRANSPORT), undefined, "unreached"],
    ["a lost connection", connection_lost.fault({}, TRANSPORT), undefined, "lost"],
    ["a time-out of this side", fail.timeout(CLIENT)`Late.`.fault, undefined, "silence"],
  ])("%s: %s", (_, fault, status, response) => {
    expect(readAttemptResponse(fault, status)).toBe(response);
  });

  it("is several lost calls once another tool's is lost too, until an answer comes", () => {
    const lost = new LostCalls();
    expect(["a", "a", "b", "a"].map((tool) => lost.note(tool, "lost"))).toEqual([false, false, true, true]);
    expect(lost.note("a", "silence")).toBe(true);
    expect(lost.note("c", "answer")).toBe(false);
    expect(["b", "b"].map((tool) => lost.note(tool, "lost"))).toEqual([false, false]);
  });
});

it("takes a wait for a full one where only timers differ", () => {
  expect([isFullWait(950, 1_000), isFullWait(40, 1_000)]).toEqual([true, false]);
});
