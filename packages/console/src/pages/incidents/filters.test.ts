import { describe, expect, it } from "vitest";
import { incidentsPath, readFilters } from "./filters.ts";

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
