import { describe, expect, it } from "vitest";
import type { Fault, RetryAdvice } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { computeWait, createRetryBudget, type RetryPolicy, toRetryPolicy } from "./policy.ts";

describe("a policy", () => {
  it("has defaults", () => {
    expect(toRetryPolicy()).toEqual({
      attempts: 3,
      baseMs: 200,
      overloadBaseMs: 1_000,
      stepMs: 0,
      maxBackoffMs: 20_000,
      maxWaitMs: 60_000,
      minAttemptMs: 100,
      jitter: 0.2,
    });
  });

  it.each([1, 10])("takes %d attempts", (attempts) => {
    expect(toRetryPolicy({ attempts }).attempts).toBe(attempts);
  });

  it.each([Number.NaN, 0, -1, 2.9, 11, Number.POSITIVE_INFINITY])("refuses %d attempts", (attempts) => {
    expect(() => toRetryPolicy({ attempts }, "retry.policy")).toThrow(
      new RangeError(`retry.policy.attempts must be a whole number from 1 to 10, but it is ${attempts}`),
    );
  });

  it.each([{ baseMs: -1 }, { maxBackoffMs: Number.NaN }, { jitter: 7 }])("refuses %o", (given) => {
    expect(() => toRetryPolicy(given)).toThrow(RangeError);
  });
});

const gone = (retry?: RetryAdvice): Fault => fail.unavailable({ effect: "none", ...(retry && { retry }) })`Gone.`.fault;
const busy = (retry?: RetryAdvice): Fault => fail.rate_limited(retry ? { retry } : {})`Busy.`.fault;
const wait = (fault: Fault, attempts = 1, random = 0.5, policy: Partial<RetryPolicy> = {}) =>
  computeWait({ fault, attempts, random, policy: toRetryPolicy(policy) });

describe("a wait that was not stated", () => {
  it.each([
    [1, 250],
    [2, 500],
    [3, 750],
  ])("after %d attempts is as long as the contract of the system says: %d ms", (attempts, waitMs) => {
    for (const fault of [gone(), busy(), busy({ allowed: true, backoff: "exponential", jitter: 0.9 })]) {
      expect(wait(fault, attempts, 0.9, { stepMs: 250 })).toEqual({ waitMs, by: "contract" });
    }
    expect(wait(gone({ allowed: true, afterMs: 0 }), attempts, 0, { stepMs: 250 })).toEqual({ waitMs: 0, by: "peer" });
  });

  it.each([Number.NaN, -3, Number.NEGATIVE_INFINITY])("counts the random number %d as zero", (random) => {
    expect(wait(gone(), 1, random).waitMs).toBe(0);
  });

  it("counts a random number that is too large as one", () => {
    expect(wait(gone(), 1, 9).waitMs).toBe(200);
  });
});

describe("a wait that the peer stated", () => {
  it("stays a safe integer", () => {
    const word = { allowed: true, afterMs: Number.MAX_SAFE_INTEGER, backoff: "exponential" } as const;
    expect(wait(busy(word), 9, 0.999).waitMs).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe("a wait of the contract of a system", () => {
  it("is used if the peer stated none", () => {
    const fault = fail.overloaded({ afterMs: 30_000 })`Busy.`.fault;
    expect(wait(fault, 1, 0)).toEqual({ waitMs: 30_000, by: "contract" });
    expect(wait(fault, 1, 0.5)).toEqual({ waitMs: 33_000, by: "contract" });
  });

  it("is used where the call has to be checked first", () => {
    const fault = fail.timeout({ afterMs: 5_000 })`No answer.`.fault;
    expect(fault).toMatchObject({ effect: "possible", recourse: [{ do: "refresh" }] });
    expect(wait(fault, 1, 0)).toEqual({ waitMs: 5_000, by: "contract" });
  });

  it("is not read from another move", () => {
    const fault = fail.overloaded({ recourse: [{ do: "stop", afterMs: 30_000 }] })`Busy.`.fault;
    expect(wait(fault).by).toBe("backoff");
  });
});

describe("a budget", () => {
  it("is not changed by a clock that goes back", () => {
    const budget = createRetryBudget({ reserve: 1 });
    budget.callBegan(100_000);
    expect(budget.status(0).tokens).toBe(1);
  });

  it("takes no token if it refuses", () => {
    const budget = createRetryBudget({ reserve: 0.5 });
    expect(budget.takeRepetition(0)).toBe(false);
    expect(budget.status(0)).toEqual({ tokens: 0.5 });
  });

  it("refuses what is no number", () => {
    expect(() => createRetryBudget({ reserve: Number.NaN })).toThrow("budget.reserve must be a number of");
  });
});
