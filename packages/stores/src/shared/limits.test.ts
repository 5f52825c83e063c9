import { describe, expect, it } from "vitest";
import { checkLimits, deadlineOf } from "./limits.ts";

const INFINITY = Number.POSITIVE_INFINITY;

describe("options", () => {
  it.each([
    { ttlMs: 0 },
    { ttlMs: -1 },
    { ttlMs: Number.NaN },
    { ttlMs: INFINITY },
    { ttlMs: 1e15 },
    { timeoutMs: 0 },
    { timeoutMs: INFINITY },
    { maxKeysPerCaller: 0 },
    { maxOutcomeLength: Number.NaN },
    { repeatMs: -1 },
  ])("that no engine could keep are refused before a call runs: %o", (options) => {
    expect(() => checkLimits(options)).toThrow(RangeError);
  });

  it.each([{}, { ttlMs: 1 }, { maxKeysPerCaller: INFINITY, maxOutcomeLength: INFINITY, repeatMs: 0 }])(
    "may be: %o",
    (options) => expect(() => checkLimits(options)).not.toThrow(),
  );
});

describe("the deadline of a call", () => {
  it.each([
    [undefined, undefined],
    [INFINITY, undefined],
    [1e15, undefined],
    [-5, 0],
    [0.5, 0.5],
  ])("%s is stored as %s", (deadlineMs, stored) => {
    expect(deadlineOf({ owner: "", honoured: false, deadlineMs })).toBe(stored);
  });

  it("has to be a number", () => {
    expect(() => deadlineOf({ owner: "", honoured: false, deadlineMs: Number.NaN })).toThrow(RangeError);
  });
});
