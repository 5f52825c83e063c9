import { expect, test } from "vitest";
import data from "../../data/prefixes.json" with { type: "json" };
import { PREFIX_DATA_VERSION, PREFIX_STATUSES, prefixOf } from "./prefix.ts";

test("the data has a version, known statuses and ranges that do not overlap", () => {
  expect(PREFIX_DATA_VERSION).toMatch(/^\d{4}-\d\d-\d\d$/);
  for (const ranges of [data.gtin, data.gtin8]) {
    const places = ranges.map(({ from, to }) => [Number(from.padEnd(7, "0")), Number(to.padEnd(7, "9"))] as const);
    const sorted = places.toSorted(([a], [b]) => a - b);
    for (const [at, [from, to]] of sorted.entries()) {
      expect(from).toBeLessThanOrEqual(to);
      expect(from).toBeGreaterThan(sorted[at - 1]?.[1] ?? -1);
    }
    for (const { status } of ranges) expect(PREFIX_STATUSES).toContain(status);
  }
});

test.each([
  ["00614141123452", "GS1 US"],
  ["00036000291452", "GS1 US"],
  ["04006381333931", "GS1 Germany"],
  ["19521873000129", "Demonstrations and examples"],
  ["00000095216843", "Demonstrations and examples"],
  ["00000020000004", "Restricted circulation within a company"],
  ["02000000000015", "Restricted circulation within a region"],
])("%s belongs to: %s", (gtin, label) => {
  expect(prefixOf(gtin).label).toBe(label);
});
