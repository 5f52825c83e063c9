import { describe, expect, it } from "vitest";
import { resolveOptions } from "./options.ts";

describe("resolveOptions", () => {
  it("fills in the defaults", () => {
    expect(resolveOptions({ downAfter: 9 })).toMatchObject({
      downAfter: 9,
      degradedAfter: 2,
      timeoutMs: 30_000,
      healthIntervalMs: 60_000,
    });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5" as never])(
    "refuses a limit of %j",
    (timeoutMs) => {
      expect(() => resolveOptions({ timeoutMs })).toThrow("timeoutMs must be a number above zero");
    },
  );

  it("refuses thresholds in the wrong order", () => {
    expect(() => resolveOptions({ degradedAfter: 6 })).toThrow("degradedAfter must not be above downAfter");
  });
});
