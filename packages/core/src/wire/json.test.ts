import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arrayAt,
  booleanAt,
  canonical,
  entriesOf,
  fromPointer,
  integerAt,
  memberAt,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
  toPointer,
} from "./json.ts";

/** The same value with the members of its objects in the other order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, turned(member)]),
  );
}

describe("canonical JSON", () => {
  it("does not depend on the order of members", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonical(turned(value))).toBe(canonical(value));
      }),
      { numRuns: runs() },
    );
  });

  it("loses nothing, so that what differs stays different", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: runs() },
    );
  });

  it("keeps members that every object seems to have", () => {
    expect(canonical(JSON.parse('{"z":1,"__proto__":{"y":2,"x":3}}'))).toBe('{"__proto__":{"x":3,"y":2},"z":1}');
  });
});

describe("toPointer", () => {
  it.each([
    [[], ""],
    [["a"], "/a"],
    [["a", 0, "b"], "/a/0/b"],
    [["a/b", "c~d", "~1"], "/a~1b/c~0d/~01"],
    [["//", "~~"], "/~1~1/~0~0"],
    [[""], "/"],
  ])("of %j is %j", (path, pointer) => {
    expect(toPointer(path)).toBe(pointer);
  });
});

it("fromPointer gives the keys of a pointer", () => {
  expect(fromPointer("/a~1b/c~0d/~01/0")).toEqual(["a/b", "c~d", "~1", "0"]);
  expect(fromPointer("")).toEqual([]);
});

it("reads own members of the right type only", () => {
  const from = JSON.parse('{"o":{},"s":"x","n":1.5,"i":2,"b":false,"a":[1],"__proto__":"own"}');
  expect([objectAt(from, "o"), stringAt(from, "s"), numberAt(from, "n"), integerAt(from, "i")]).toEqual([
    {},
    "x",
    1.5,
    2,
  ]);
  expect([booleanAt(from, "b"), arrayAt(from, "a"), memberAt(from, "__proto__")]).toEqual([false, [1], "own"]);
  expect([objectAt(from, "a"), stringAt(from, "n"), numberAt(from, "s"), integerAt(from, "n")]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect([booleanAt(from, "s"), arrayAt(from, "o"), memberAt(from, "toString"), entriesOf([1])]).toEqual([
    undefined,
    [],
    undefined,
    [],
  ]);
});

it("parseJson reads JSON up to a length", () => {
  expect([parseJson("[1]"), parseJson("[1]", 2), parseJson("["), parseJson(7)]).toEqual([
    [1],
    undefined,
    undefined,
    undefined,
  ]);
});
