import { describe, expect, it } from "vitest";
import type { Fault, RetryAdvice } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { type BudgetOptions, computeWait, createRetryBudget, type RetryPolicy, toRetryPolicy } from "./policy.ts";

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

  it("keeps what is given", () => {
    expect(toRetryPolicy({ attempts: 5, baseMs: 0, maxWaitMs: Number.POSITIVE_INFINITY })).toMatchObject({
      attempts: 5,
      baseMs: 0,
      overloadBaseMs: 1_000,
      maxWaitMs: Number.POSITIVE_INFINITY,
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
    [1, 100],
    [2, 200],
    [3, 400],
    [7, 6_400],
    [8, 10_000],
    [5_000, 10_000],
  ])("after %d attempts is random below a doubling limit: %d ms", (attempts, waitMs) => {
    expect(wait(gone(), attempts)).toEqual({ waitMs, by: "backoff" });
  });

  it("is random from zero on", () => {
    expect(wait(gone(), 3, 0).waitMs).toBe(0);
    expect(wait(gone(), 1, 0.999).waitMs).toBe(200);
  });

  it("is longer for a server that asked for less traffic", () => {
    expect(wait(busy(), 1).waitMs).toBe(500);
    expect(wait(busy(), 2).waitMs).toBe(1_000);
  });

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

  it("does not grow if the peer says so", () => {
    expect(wait(gone({ allowed: true, backoff: "fixed" }), 3)).toEqual({ waitMs: 100, by: "backoff" });
  });

  it("stays zero if it starts at zero", () => {
    expect(wait(gone(), 2_000, 0.5, { baseMs: 0 }).waitMs).toBe(0);
  });

  it.each([Number.NaN, -3, Number.NEGATIVE_INFINITY])("counts the random number %d as zero", (random) => {
    expect(wait(gone(), 1, random).waitMs).toBe(0);
  });

  it("counts a random number that is too large as one", () => {
    expect(wait(gone(), 1, 9).waitMs).toBe(200);
  });
});

describe("a wait that the peer stated", () => {
  it("is kept, and a random part is added", () => {
    expect(wait(busy({ allowed: true, afterMs: 5_000 }), 1, 0)).toEqual({ waitMs: 5_000, by: "peer" });
    expect(wait(busy({ allowed: true, afterMs: 5_000 }), 3, 0.5)).toEqual({ waitMs: 5_500, by: "peer" });
    expect(wait(busy({ allowed: true, afterMs: 5_000, jitter: 0.5 }), 1, 0.5).waitMs).toBe(6_250);
    expect(wait(busy({ allowed: true, afterMs: 5_000, jitter: 0 }), 1, 0.9).waitMs).toBe(5_000);
  });

  it("gets a random part of at least the base if it is short", () => {
    expect(wait(gone({ allowed: true, afterMs: 0 }), 1, 0.5).waitMs).toBe(20);
    expect(wait(busy({ allowed: true, afterMs: 10 }), 1, 0.5).waitMs).toBe(110);
  });

  it("grows if the peer says so, up to the cap", () => {
    const word = { allowed: true, afterMs: 6_000, backoff: "exponential" } as const;
    expect(wait(busy(word), 1, 0).waitMs).toBe(6_000);
    expect(wait(busy(word), 2, 0).waitMs).toBe(12_000);
    expect(wait(busy(word), 3, 0).waitMs).toBe(20_000);
  });

  it("is never cut by the cap", () => {
    expect(wait(busy({ allowed: true, afterMs: 50_000 }), 1, 0).waitMs).toBe(50_000);
    expect(wait(busy({ allowed: true, afterMs: 50_000, backoff: "exponential" }), 3, 0).waitMs).toBe(50_000);
  });

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

  it("is replaced by a wait of the peer", () => {
    const fault = fail.overloaded({ afterMs: 30_000, retry: { allowed: true, afterMs: 1_000 } })`Busy.`.fault;
    expect(wait(fault, 1, 0)).toEqual({ waitMs: 1_000, by: "peer" });
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

/** How many repetitions are granted one after the other. */
function granted(options: BudgetOptions, calls: number, nowMs = 0): number {
  const budget = createRetryBudget(options);
  let count = 0;
  const take = () => {
    while (count < 1_000 && budget.takeRepetition(nowMs)) count += 1;
  };
  take();
  for (let call = 0; call < calls; call++) {
    budget.callBegan(0);
    take();
  }
  return count;
}

describe("a budget", () => {
  it("starts with a small reserve", () => {
    expect(granted({}, 0)).toBe(3);
    expect(granted({ reserve: 0 }, 0)).toBe(0);
  });

  it("allows one retry for every ten calls", () => {
    expect(granted({}, 9)).toBe(3);
    expect(granted({}, 100)).toBeGreaterThanOrEqual(12);
    expect(granted({}, 100)).toBeLessThanOrEqual(13);
    expect(granted({ perCall: 0.5 }, 100)).toBe(53);
  });

  it("does not grow beyond its reserve", () => {
    const budget = createRetryBudget();
    for (let call = 0; call < 1_000; call++) budget.callBegan(0);
    expect(budget.status(0).tokens).toBe(3);
  });

  it("fills again with time", () => {
    const budget = createRetryBudget({ reserve: 1, perCall: 0 });
    budget.callBegan(0);
    expect(budget.takeRepetition(0)).toBe(true);
    expect(budget.takeRepetition(59_000)).toBe(false);
    expect(budget.takeRepetition(60_000)).toBe(true);
    expect(budget.takeRepetition(119_000)).toBe(false);
  });

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

  it.each([{ reserve: Number.NaN }, { perCall: -1 }, { refillMs: 0 }])("refuses %o", (options) => {
    expect(() => createRetryBudget(options)).toThrow(`budget.${Object.keys(options)[0]} must be a number of`);
  });
});
