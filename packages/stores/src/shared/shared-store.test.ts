import { describe, expect, it } from "vitest";
import { createBackground, storableDeadline } from "./shared-store.ts";

const INFINITY = Number.POSITIVE_INFINITY;

describe("options", () => {
  it.each([
    { keepMs: 0 },
    { keepMs: -1 },
    { keepMs: Number.NaN },
    { keepMs: INFINITY },
    { keepMs: 1e15 },
    { timeoutMs: 0 },
    { timeoutMs: INFINITY },
    { maxKeysPerCaller: 0 },
    { maxOutcomeLength: Number.NaN },
    { repeatMs: -1 },
  ])("that no engine could keep are refused before a call runs: %o", (options) => {
    expect(() => createBackground(options)).toThrow(RangeError);
  });

  it.each([{}, { keepMs: 1 }, { maxKeysPerCaller: INFINITY, maxOutcomeLength: INFINITY, repeatMs: 0 }])(
    "may be: %o",
    (options) => expect(() => createBackground(options)).not.toThrow(),
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
    expect(storableDeadline({ owner: "", honoured: false, deadlineMs })).toBe(stored);
  });

  it("has to be a number", () => {
    expect(() => storableDeadline({ owner: "", honoured: false, deadlineMs: Number.NaN })).toThrow(RangeError);
  });
});
