import { expect, it } from "vitest";
import { randomBytes } from "./random.ts";

it("returns 16 new bytes each time, beyond the end of a block", () => {
  const all = Array.from({ length: 600 }, randomBytes);
  expect(all.every((bytes) => bytes.length === 16)).toBe(true);
  expect(new Set(all.map(String)).size).toBe(600);
  const first = String(all[0]);
  all[1]?.fill(0);
  expect(String(all[0])).toBe(first);
});
