import { describe, expect, it } from "vitest";
import { resolveOptions } from "./options.ts";

describe("resolveOptions", () => {
  it("fills in the defaults", () => {
    expect(resolveOptions({ breaker: { failures: 9 } })).toMatchObject({
      breaker: { failures: 9, degradedFailures: 2, pauseMs: 5_000, maxPauseMs: 60_000 },
      deadlineMs: 30_000,
      healthIntervalMs: 60_000,
    });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5" as never])(
    "refuses a limit of %j",
    (deadlineMs) => {
      expect(() => resolveOptions({ deadlineMs })).toThrow("deadlineMs must be a number from 1");
    },
  );

  it("takes any number of failures, since `degradedFailures` follows", () => {
    expect(resolveOptions({ breaker: { failures: 1 }, healthIntervalMs: 9_000 }).breaker).toEqual({
      ...{ failures: 1, degradedFailures: 1, pauseMs: 5_000, maxPauseMs: 9_000 },
    });
  });

  it.each([{ failures: 0 }, { pauseMs: 0 }, { maxPauseMs: Number.NaN }])("refuses the breaker %j", (breaker) => {
    expect(() => resolveOptions({ breaker })).toThrow(/^breaker\.\w+ must be a number/);
  });

  it("refuses thresholds in the wrong order", () => {
    expect(() => resolveOptions({ breaker: { degradedFailures: 6 } })).toThrow(
      "breaker.degradedFailures must not be above breaker.failures",
    );
  });
});
