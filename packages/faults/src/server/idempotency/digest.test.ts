import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/runs.ts";
import { canonical, digestOf } from "./digest.ts";

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

describe("a digest", () => {
  it("is the SHA-256 of the canonical text", async () => {
    expect(await digestOf("abc")).toBe("6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25");
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
