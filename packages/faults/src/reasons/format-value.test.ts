import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, inQuotes } from "./format-value.ts";

describe("inQuotes", () => {
  it.each([
    ["plain", '"plain"'],
    ["", '""'],
    ['say "hi" twice "', "\"say 'hi' twice '\""],
    [7, '"7"'],
    [true, '"true"'],
  ])("%j becomes %s", (value, shown) => {
    expect(inQuotes(value)).toBe(shown);
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [0.4, "1 ms"],
    [1.5, "2 ms"],
    [999, "999 ms"],
    [1_000, "1 second"],
    [1_001, "1.1 seconds"],
    [1_050, "1.1 seconds"],
    [1_500, "1.5 seconds"],
    [9_950, "10 seconds"],
    [10_001, "11 seconds"],
    [59_999, "60 seconds"],
    [60_000, "1 minute"],
    [60_001, "61 seconds"],
    [90_000, "90 seconds"],
    [119_999, "120 seconds"],
    [120_000, "2 minutes"],
    [120_001, "2.1 minutes"],
    [150_000, "2.5 minutes"],
    [3_599_000, "60 minutes"],
    [3_600_000, "1 hour"],
    [4_980_500, "84 minutes"],
    [5_400_000, "90 minutes"],
    [7_200_000, "2 hours"],
    [9_000_000, "2.5 hours"],
    [86_399_000, "24 hours"],
    [86_400_000, "1 day"],
    [129_600_000, "36 hours"],
    [172_800_000, "2 days"],
    [216_000_000, "2.5 days"],
    [864_000_000, "10 days"],
  ])("%d ms is %s", (ms, shown) => {
    expect(formatDuration(ms)).toBe(shown);
  });

  it("never shows less time than there is, nor much more", () => {
    const unitMs = { ms: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (ms) => {
        const [number = "", unit = ""] = formatDuration(ms).split(" ");
        const shown = Number(number) * unitMs[(unit === "ms" ? unit : unit.replace(/s$/, "")) as keyof typeof unitMs];
        // One number of a double with one decimal may differ in its last bit.
        expect(shown + 1e-3).toBeGreaterThanOrEqual(ms);
        expect(shown).toBeLessThanOrEqual(ms * 1.1 + 1);
      }),
    );
  });
});
