import { describe, expect, it } from "vitest";
import { resolveOptions } from "./options.ts";

describe("resolveOptions", () => {
  it("fills in the defaults", () => {
    expect(resolveOptions({ breaker: { failures: 9 } })).toMatchObject({
      breaker: { failures: 9, pauseMs: 1_000, maxPauseMs: 5_000 },
      deadlineMs: 30_000,
    });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5" as never])(
    "refuses a limit of %j",
    (deadlineMs) => {
      expect(() => resolveOptions({ deadlineMs })).toThrow("deadlineMs must be a number from 1");
    },
  );

  it.each([{ failures: 0 }, { pauseMs: -1 }, { maxPauseMs: Number.NaN }])("refuses the breaker %j", (breaker) => {
    expect(() => resolveOptions({ breaker })).toThrow(/^breaker\.\w+ must be a number/);
  });
});
