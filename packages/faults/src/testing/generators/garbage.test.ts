import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/runs.ts";
import * as dialects from "../../dialects/index.ts";
import { readFault } from "../../fault/read-fault.ts";
import { generators } from "../generators.ts";
import { mutate } from "./garbage.ts";

const any = generators(fc);

describe("garbage", () => {
  const decoders = Object.values(dialects).flatMap((one) => ("decode" in one ? [one.decode] : []));
  const readers = [dialects.detect, readFault, ...decoders];

  it("is JSON, and no decoder throws on it", () => {
    fc.assert(
      fc.property(any.garbage(), (wire) => {
        expect(JSON.parse(JSON.stringify(wire))).toEqual(wire);
        for (const read of readers) expect(() => read(wire)).not.toThrow();
      }),
      { numRuns: runs(500) },
    );
  });

  it("is often decoded as a failure, and often not", () => {
    const drawn = fc.sample(any.garbage(), { numRuns: 200, seed: 1 });
    const failures = drawn.filter((wire) => dialects.detect(wire) !== undefined).length;
    expect(failures).toBeGreaterThan(40);
    expect(failures).toBeLessThan(160);
  });
});

describe("mutate", () => {
  const value = { a: 1, list: [true, { deep: "x" }], z: null };

  it.each([
    [0, { a: "!", list: [true, { deep: "x" }], z: null }],
    [1, { a: 1, list: "!", z: null }],
    [2, { a: 1, list: ["!", { deep: "x" }], z: null }],
    [4, { a: 1, list: [true, { deep: "!" }], z: null }],
    [5, { a: 1, list: [true, { deep: "x" }], z: "!" }],
    [6, value],
  ])("changes the member %i", (nth, expected) => {
    expect(mutate(value, nth, () => "!")).toEqual(expected);
  });

  it("removes a member of an object, and puts null into a list", () => {
    expect(mutate(value, 0, () => undefined)).toEqual({ list: [true, { deep: "x" }], z: null });
    expect(mutate(value, 2, () => undefined)).toEqual({ a: 1, list: [null, { deep: "x" }], z: null });
  });
});
