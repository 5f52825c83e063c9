import { describe, expect, it, test } from "vitest";
import type { LiveEvents } from "../../api/types.ts";
import { type Filters, incidentsPath, isListed, readFilters } from "./filters.ts";

const EVENT: LiveEvents["incident"] = {
  ...{ id: "01M7K7RE4ST7GE86F8QRXY0849", at: "2026-11-16T14:30:33.000Z", fingerprint: "7b1d445dcd8e" },
  ...{ reason: "core/timeout", kind: "timeout", tool: "shop__refund", upstream: "shop", tenant: "acme" },
};

it("reads the filters of an address, and nothing else", () => {
  const query = new URLSearchParams("kind=timeout&tool=%20&caller=%5B%22key%22%5D&pick=a&before=b&x=y");
  expect(readFilters(query)).toEqual({ kind: "timeout", caller: '["key"]' });
});

it("bounds what it sends", () => {
  expect(readFilters(new URLSearchParams({ tool: "x".repeat(5_000) })).tool).toHaveLength(1_024);
});

describe("the path", () => {
  it("has the filters and the place in the list", () => {
    expect(incidentsPath({ tool: "a&b", since: "2026-11-16T00:00:00.000Z" }, "01M7.5")).toBe(
      "incidents?tool=a%26b&since=2026-11-16T00%3A00%3A00.000Z&limit=50&before=01M7.5",
    );
  });
  it("of the first page", () => {
    expect(incidentsPath({}, null)).toBe("incidents?limit=50");
  });
});

test.each<[Filters, boolean]>([
  [{}, true],
  [{ kind: "timeout", tenant: "acme" }, true],
  [{ kind: "internal" }, false],
  [{ tool: "shop__list" }, false],
  [{ fingerprint: "7b1d445dcd8e" }, true],
  [{ since: "2026-11-16T00:00:00.000Z" }, true],
  [{ until: "2026-11-16T00:00:00.000Z" }, false],
  [{ caller: "anybody" }, false],
  [{ trace: "4bf92f3577b34da6a3ce929d0e0e4736" }, false],
])("a new incident and %j: %j", (filters, isThere) => {
  expect(isListed(EVENT, filters)).toBe(isThere);
});
