import { expect, test } from "vitest";
import { sayMeasured } from "./budgets.ts";

test.each([
  [{ name: "landing", value: 32_149, limit: 40_000, unit: "kB" } as const, "landing 32.1 of 40 kB"],
  [{ name: "search", value: 48.26, limit: 300, unit: "ms" } as const, "search 48.3 of 300 ms"],
  [{ name: "build", value: 19_000, limit: 90_000, unit: "s" } as const, "build 19 of 90 s"],
])("a figure is said with its limit: %o", (measured, text) => {
  expect(sayMeasured(measured)).toBe(text);
});
