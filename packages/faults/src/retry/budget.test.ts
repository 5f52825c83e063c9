import { describe, expect, it } from "vitest";
import { type BudgetOptions, createBudget } from "./budget.ts";

/** How many repetitions are granted one after the other. */
function granted(options: BudgetOptions, calls: number, nowMs = 0): number {
  const budget = createBudget(options);
  let count = 0;
  const take = () => {
    while (count < 1_000 && budget.beginRepetition(nowMs)) {
      budget.endRepetition();
      count += 1;
    }
  };
  take();
  for (let call = 0; call < calls; call++) {
    budget.callBegan(0);
    budget.callEnded();
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
    const budget = createBudget();
    for (let call = 0; call < 1_000; call++) budget.callBegan(0);
    expect(budget.status(0).tokens).toBe(3);
  });

  it("fills again with time", () => {
    const budget = createBudget({ reserve: 1, perCall: 0 });
    budget.callBegan(0);
    expect(budget.beginRepetition(0)).toBe(true);
    expect(budget.beginRepetition(59_000)).toBe(false);
    expect(budget.beginRepetition(60_000)).toBe(true);
    expect(budget.beginRepetition(119_000)).toBe(false);
  });

  it("is not changed by a clock that goes back", () => {
    const budget = createBudget({ reserve: 1 });
    budget.callBegan(100_000);
    expect(budget.status(0).tokens).toBe(1);
  });

  it("limits running retries to a share of the running calls", () => {
    const budget = createBudget({ reserve: 100, perCall: 0 });
    const take = () => budget.beginRepetition(0);
    budget.callBegan(0);
    expect([take(), take(), take(), take()]).toEqual([true, true, true, false]);
    for (let call = 0; call < 19; call++) budget.callBegan(0);
    expect([take(), take()]).toEqual([true, false]);
    budget.endRepetition();
    expect(take()).toBe(true);
    expect(budget.status(0)).toEqual({ tokens: 95, calls: 20, repetitions: 4 });
    for (let call = 0; call < 20; call++) budget.callEnded();
    for (let one = 0; one < 4; one++) budget.endRepetition();
    expect(budget.status(0)).toEqual({ tokens: 95, calls: 0, repetitions: 0 });
  });

  it("takes no token if it refuses", () => {
    const budget = createBudget({ reserve: 1, liveLeast: 0, liveShare: 0 });
    expect(budget.beginRepetition(0)).toBe(false);
    expect(budget.status(0)).toEqual({ tokens: 1, calls: 0, repetitions: 0 });
  });

  it("replaces numbers out of range", () => {
    expect(granted({ reserve: Number.NaN, perCall: -1, refillMs: 0 }, 0)).toBe(3);
  });
});
