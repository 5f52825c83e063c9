import { describe, expect, it } from "vitest";
import { settle } from "./options.ts";

describe("settle", () => {
  it("fills in what is not said", () => {
    expect(settle({ downAfter: 9 })).toMatchObject({
      downAfter: 9,
      degradedAfter: 2,
      timeoutMs: 30_000,
      everyMs: 60_000,
    });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5" as never])(
    "refuses a limit of %j",
    (timeoutMs) => {
      expect(() => settle({ timeoutMs })).toThrow("timeoutMs must be a number above zero");
    },
  );

  it("refuses thresholds in the wrong order", () => {
    expect(() => settle({ degradedAfter: 6 })).toThrow("degradedAfter must not be above downAfter");
  });
});
