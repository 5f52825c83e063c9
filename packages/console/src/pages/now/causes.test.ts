import { describe, expect, it } from "vitest";
import type { Overview, Series } from "../../api/types.ts";
import { shrinkCounts, stackRows } from "../../parts/chart-data.ts";
import { causeChart, causeColours, type RankedCause, updateCauses } from "./causes.ts";
import { keepParts } from "./use-overview.ts";

const cause = (fingerprint: string, count = 1): RankedCause => ({
  ...{ fingerprint, reason: "core/timeout", kind: "timeout", message: "", title: "Took too long", severity: "error" },
  ...{ firstSeen: "2026-11-16T14:00:00Z", lastSeen: "2026-11-16T14:00:00Z", count },
});
const series = (...groups: readonly (readonly [string, readonly number[]])[]): Series => ({
  ...{ since: "2026-11-16T14:00:00Z", step: "minute", length: 2 },
  groups: groups.map(([group, counts]) => ({ group, total: 0, counts: [...counts] })),
  other: { groups: 1, total: 3, counts: [1, 2] },
});

describe("the list of causes", () => {
  it("keeps its order, moves its counts, and lets new causes wait", () => {
    const before = [cause("a", 5), cause("b", 3)];
    const { rows, waiting } = updateCauses([cause("b", 9), cause("c", 8), cause("a", 6)], before);
    expect(rows.map(({ fingerprint, count }) => [fingerprint, count])).toEqual([
      ["a", 6],
      ["b", 9],
    ]);
    expect(waiting).toBe(1);
  });
  it("keeps a cause that has left the ranking", () => {
    expect(updateCauses([cause("b")], [cause("a", 5)])).toEqual({ rows: [cause("a", 5)], waiting: 1 });
  });
  it("shows all at first, and after an empty list", () => {
    expect(updateCauses([cause("a")], undefined)).toEqual({ rows: [cause("a")], waiting: 0 });
    expect(updateCauses([cause("a")], []).rows).toHaveLength(1);
  });
});

describe("the colours", () => {
  it("are by rank, of causes that the chart counts by themselves", () => {
    const found = causeColours([cause("a"), cause("b"), cause("c")], series(["a", [1, 1]], ["c", [1, 1]]));
    expect([...found]).toEqual([
      ["a", "c1"],
      ["c", "c2"],
    ]);
  });
  it("add what is not in the list to all others", () => {
    const rows = causeChart([cause("a")], series(["a", [4, 5]], ["new", [10, 20]]));
    expect(rows).toEqual([
      { name: "Took too long", colour: "c1", counts: [4, 5] },
      { name: "All others", colour: "c0", counts: [11, 22] },
    ]);
    expect(stackRows(rows)).toEqual([
      [4, 5],
      [15, 27],
    ]);
  });
  it("shrink to the bars of a word without losing a count", () => {
    expect(shrinkCounts([1, 2, 3, 4, 5, 6], 3)).toEqual([3, 7, 11]);
    expect(
      shrinkCounts(
        Array.from({ length: 60 }, () => 1),
        24,
      ).reduce((all, one) => all + one),
    ).toBe(60);
    expect(shrinkCounts([1, 2], 24)).toEqual([1, 2]);
  });
});

describe("a part that is down", () => {
  const part = (value: unknown, asOf: string) => ({ asOf, value });
  const fault = { asOf: "t2", fault: { kind: "unavailable", reason: "core/unavailable", message: "No answer." } };
  it("keeps the value that it had, with its time", () => {
    const first = keepParts({ classes: part({ items: [] }, "t1"), health: part(1, "t1") } as unknown as Overview);
    const second = keepParts({ classes: fault, health: part(2, "t2") } as unknown as Overview, first);
    expect(second.classes).toEqual({
      value: { items: [] },
      asOf: "t1",
      failure: { sentence: "No answer. Nothing is lost up to 50,000 incidents a process." },
    });
    expect(second.health).toEqual({ value: 2, asOf: "t2", failure: undefined });
  });
  it("may be missing altogether", () => {
    expect(keepParts({} as Overview).calls.failure?.sentence).toBe("The gateway did not send this part.");
  });
});
