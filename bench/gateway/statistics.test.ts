import { seededRandom } from "@recourse/test-kit/seeded-random";
import { describe, expect, test } from "vitest";
import { estimate, estimateText, halfWidth, medianOf, pairedRatio, shuffled } from "./statistics.ts";

/** The numbers from 1 up to this one, which say at which place an estimate has looked. */
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

describe("a median", () => {
  test("is the value in the middle, or the mean of two", () => {
    expect(medianOf([3, 1, 2])).toBe(2);
    expect(medianOf([4, 1, 3, 2])).toBe(2.5);
    expect(medianOf([])).toBeNaN();
  });

  // Places of tables of the sign test, two-sided, 5 %.
  test.each([
    [6, 1, 6],
    [8, 1, 8],
    [9, 2, 8],
    [20, 6, 15],
    [24, 7, 18],
    [25, 8, 18],
    [100, 40, 61],
  ])("of %i values lies between those at the places %i and %i", (count, low, high) => {
    expect(estimate(upTo(count))).toMatchObject({ low, high });
  });

  test("of fewer than 6 values can lie anywhere", () => {
    expect(estimate(upTo(5))).toEqual({ median: 3, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY });
  });

  test("of thousands of values has an interval too", () => {
    const { low, high } = estimate(upTo(10_000));
    expect(low).toBeGreaterThan(4_850);
    expect(high).toBeLessThan(5_150);
  });

  test("lies in its interval in 95 of 100 cases, for values that are far from normal", () => {
    const random = seededRandom(7);
    let inside = 0;
    for (let at = 0; at < 2_000; at++) {
      const { low, high } = estimate(Array.from({ length: 30 }, () => 1 / random()));
      // Half of 1 / x is below 2.
      if (low <= 2 && high >= 2) inside += 1;
    }
    expect(inside / 2_000).toBeGreaterThan(0.95);
    expect(inside / 2_000).toBeLessThan(0.98);
  });
});

describe("paired ratios", () => {
  test("do not see what slows down both of a round", () => {
    const slow = [1, 1, 5, 1, 9, 1, 2, 1];
    const above = slow.map((factor) => 100 * factor);
    const below = slow.map((factor) => 200 * factor);
    expect(pairedRatio(above, below)).toEqual({ median: 0.5, low: 0.5, high: 0.5 });
  });

  test("need the same rounds", () => {
    expect(() => pairedRatio([1, 2], [1])).toThrow(/different rounds/);
  });
});

describe("a figure", () => {
  const one = { median: 0.5, low: 0.48, high: 0.52 };

  test("is shown with its interval", () => {
    expect(halfWidth(one)).toBeCloseTo(0.04);
    expect(estimateText(one, { maxHalfWidth: 0.05 })).toBe("0.50 (0.48 … 0.52)");
    expect(estimateText(one, { maxHalfWidth: 0.05, digits: 1 })).toBe("0.5 (0.5 … 0.5)");
  });

  test("is none if its interval is too wide", () => {
    expect(estimateText(one, { maxHalfWidth: 0.03 })).toBe("not measured: ± 4 %");
    expect(estimateText(estimate([1, 2]), { maxHalfWidth: 0.03 })).toBe("not measured: too few rounds");
    expect(estimateText(estimate([]), { maxHalfWidth: 0.03 })).toBe("not measured: too few rounds");
  });
});

test("turns have another order each time, and nothing is lost", () => {
  const random = seededRandom(7);
  const orders = Array.from({ length: 50 }, () => shuffled(["a", "b", "c"], random).join(""));
  expect(new Set(orders).size).toBe(6);
});
