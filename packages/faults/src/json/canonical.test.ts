import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/runs.ts";
import { canonical } from "./canonical.ts";

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
  it("has its members in order, at every depth", () => {
    expect(canonical({ b: [{ d: 1, c: "é" }], a: null })).toBe('{"a":null,"b":[{"c":"é","d":1}]}');
  });

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
