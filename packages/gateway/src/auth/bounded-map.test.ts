import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("it never holds more than its limit, and keeps what is used", () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 40 }), fc.array(fc.integer({ min: 0, max: 200 })), (max, keys) => {
      const map = new BoundedMap<number>(max);
      map.set("used", -1);
      for (const key of keys) {
        map.set(String(key), key);
        expect(map.get(String(key))).toBe(key);
        expect(map.get("used")).toBe(-1);
        expect(map.size).toBeLessThanOrEqual(max);
      }
    }),
  );
});

test("a deleted entry is gone, also from the older half", () => {
  const map = new BoundedMap<number>(4);
  for (const key of ["a", "b", "c"]) map.set(key, 1);
  map.delete("a");
  map.delete("c");
  expect([map.get("a"), map.get("b"), map.get("c"), map.size]).toEqual([undefined, 1, undefined, 1]);
});
