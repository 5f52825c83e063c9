import { expect, it } from "vitest";
import { StateMap } from "./state-map.ts";

/** A map with the keys a1, a2, b1 of the holders a and b. */
function filled(max: number): StateMap<number> {
  const map = new StateMap<number>(max);
  map.set("a", "a1", 1);
  map.set("b", "b1", 2);
  map.set("a", "a2", 3);
  return map;
}

const keys = (map: StateMap<number>) => ["a1", "a2", "a3", "b1", "c1"].filter((key) => map.get(key) !== undefined);

it("who holds more than its share pushes out what is its own, the oldest first", () => {
  const map = filled(3);
  map.set("a", "a3", 4);
  expect(keys(map)).toEqual(["a2", "a3", "b1"]);
});

it("who holds nothing yet gets a place of the one who holds most", () => {
  const map = filled(3);
  map.set("c", "c1", 4);
  expect(keys(map)).toEqual(["a2", "b1", "c1"]);
});

it("what is set again is the newest", () => {
  const map = filled(3);
  map.set("a", "a1", 10);
  map.set("a", "a3", 4);
  expect(keys(map)).toEqual(["a1", "a3", "b1"]);
  expect([map.get("a1"), map.size]).toEqual([10, 3]);
});

it("who has filled it leaves the others their share, and they keep it", () => {
  const map = new StateMap<number>(100);
  const flood = (from: number) => {
    for (let at = 0; at < 1_000; at++) map.set("flood", `flood ${from + at}`, at);
  };
  const mine = Array.from({ length: 30 }, (_, at) => `mine ${at}`);
  flood(0);
  for (const key of mine) map.set("me", key, 1);
  flood(1_000);
  expect(mine.filter((key) => map.get(key) === undefined)).toEqual([]);
  expect(map.size).toBe(100);
});

it("many who hold one each take turns", () => {
  const map = new StateMap<number>(100);
  for (let at = 0; at < 1_000; at++) {
    map.set(`holder ${at}`, `key ${at}`, at);
    expect(map.get(`key ${at}`)).toBe(at);
  }
  expect(map.size).toBe(100);
});

it("what is deleted makes room", () => {
  const map = filled(3);
  map.delete("b1");
  map.delete("b1");
  map.set("a", "a3", 4);
  expect(keys(map)).toEqual(["a1", "a2", "a3"]);
});
