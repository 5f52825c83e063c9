import { describe, expect, it } from "vitest";
import { toPolicy } from "./policy.ts";

describe("a policy", () => {
  it("has defaults", () => {
    expect(toPolicy()).toEqual({
      attempts: 3,
      baseMs: 200,
      overloadBaseMs: 1_000,
      stepMs: 0,
      capMs: 20_000,
      maxWaitMs: 60_000,
      minAttemptMs: 100,
      jitter: 0.2,
    });
  });

  it("keeps what is given", () => {
    expect(toPolicy({ attempts: 5, baseMs: 0, maxWaitMs: Number.POSITIVE_INFINITY })).toMatchObject({
      attempts: 5,
      baseMs: 0,
      overloadBaseMs: 1_000,
      maxWaitMs: Number.POSITIVE_INFINITY,
    });
  });

  it.each([
    [Number.NaN, 3],
    [0, 3],
    [-1, 3],
    [1, 1],
    [2.9, 2],
    [11, 10],
    [Number.POSITIVE_INFINITY, 10],
  ])("%d attempts are %d", (given, attempts) => {
    expect(toPolicy({ attempts: given }).attempts).toBe(attempts);
  });

  it("replaces waits and fractions out of range", () => {
    expect(toPolicy({ baseMs: -1, capMs: Number.NaN, jitter: 7 })).toMatchObject({
      baseMs: 200,
      capMs: 20_000,
      jitter: 1,
    });
  });
});
