import fc from "fast-check";
import { expect, test } from "vitest";
import { BoundedMap, LookupSemaphore } from "./credential-cache.ts";

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

test("no more than the limit run at a time, in order, and those that find a full queue are turned away", async () => {
  const turns = new LookupSemaphore({ max: 2, maxWaiting: 2 });
  const ends: (() => void)[] = [];
  const began: number[] = [];
  const start = (name: number) =>
    turns.run(async () => {
      began.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const runs = [start(1), start(2), start(3), start(4)];
  await expect(start(5)).rejects.toThrow("too many");
  expect(began).toEqual([1, 2]);
  ends[0]?.();
  await expect(runs[0]).resolves.toBe(1);
  await expect.poll(() => began).toEqual([1, 2, 3]);
  ends[1]?.();
  await expect.poll(() => began).toEqual([1, 2, 3, 4]);
  ends[2]?.();
  ends[3]?.();
  await expect(Promise.all(runs)).resolves.toEqual([1, 2, 3, 4]);
});

test("a task that fails gives its turn away", async () => {
  const turns = new LookupSemaphore({ max: 1, maxWaiting: 0 });
  await expect(turns.run(() => Promise.reject(new Error("down")))).rejects.toThrow("down");
  await expect(turns.run(() => Promise.resolve(1))).resolves.toBe(1);
});
