import { expect, it } from "vitest";
import { findReachedBound } from "./approvals.ts";

const BOUNDS = { calls: 3, bytes: 100 };
const waiting = (...rows: (readonly [bytes: number, leftMs: number])[]) =>
  rows.map(([bytes, leftMs]) => ({ bytes, leftMs }));

it("lets a caller ask up to both bounds", () => {
  expect(findReachedBound([], 100, BOUNDS)).toBeUndefined();
  expect(findReachedBound(waiting([40, 10], [50, 10]), 10, BOUNDS)).toBeUndefined();
});

it("says how long until one of as many calls expires", () => {
  expect(findReachedBound(waiting([1, 30], [1, 10.2], [1, 20]), 1, BOUNDS)).toEqual({ of: "calls", waitMs: 11 });
  expect(findReachedBound(waiting([1, 30], [1, 10], [1, 20], [1, 40]), 1, BOUNDS)).toEqual({ of: "calls", waitMs: 20 });
});

it("says how long until as many bytes expire as are needed", () => {
  expect(findReachedBound(waiting([40, 30], [10, 20], [50, 40]).slice(0, 2), 60, BOUNDS)).toEqual({
    of: "bytes",
    waitMs: 20,
  });
  expect(findReachedBound(waiting([40, 30], [10, 20]), 95, BOUNDS)).toEqual({ of: "bytes", waitMs: 30 });
});
