import { expect, test } from "vitest";
import { findLeakedParts, leakIn } from "./leaks.ts";

const parts = (text: string) =>
  findLeakedParts(text).map(({ start, end, leaks }) => [text.slice(start, end), leaks] as const);

test("names what a text gives away, and nothing of a text that a guarded server sends", () => {
  expect(leakIn("Connection to postgres://app:hunter2@db.example.com failed")).toBe("a credential");
  expect(leakIn("The order does not exist.")).toBeUndefined();
  expect(findLeakedParts("The order does not exist.")).toEqual([]);
});

test("finds whole words, in order and without overlaps", () => {
  const text = "from 10.0.0.5 to (postgres://app:hunter2@10.0.0.6/orders), then nothing";
  expect(parts(text).map(([part]) => part)).toEqual(["10.0.0.5", "postgres://app:hunter2@10.0.0.6/orders"]);
  expect(parts(text)[1]?.[1]).toContain("a credential");
});

test("finds what stands across the border of two windows", () => {
  for (const before of [3_060, 3_071, 4_080, 4_095]) {
    const text = `${"word ".repeat(before / 5)}${"x".repeat(before % 5)} postgres://app:hunter2@10.0.0.6/orders`;
    expect(parts(text).map(([part]) => part)).toEqual(["postgres://app:hunter2@10.0.0.6/orders"]);
  }
});
