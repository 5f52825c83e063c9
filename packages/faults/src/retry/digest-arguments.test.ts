import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestArguments } from "./digest-arguments.ts";

describe("the digest of arguments", () => {
  it("is the same in whatever order members were written", () => {
    expect(digestArguments({ a: 1, b: { d: [1, 2], c: null } })).toBe(
      digestArguments({ b: { c: null, d: [1, 2] }, a: 1 }),
    );
    expect(digestArguments(undefined)).toBe(digestArguments({}));
  });

  it("differs where a value, a type, a member or an order of items differs", () => {
    const different = [
      {},
      { a: 1 },
      { a: "1" },
      { a: [1] },
      { a: [1, 2] },
      { a: [2, 1] },
      { b: 1 },
      { a: 1, b: 1 },
      { a: {} },
    ];
    expect(new Set(different.map(digestArguments)).size).toBe(different.length);
  });

  it("differs for any two different texts that were tried", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (a, b) => (digestArguments({ a }) === digestArguments({ a: b })) === (a === b),
      ),
    );
  });

  it("is short, and takes a moment, for arguments up to a million characters", () => {
    const startedMs = performance.now();
    expect(digestArguments({ a: "z".repeat(999_000) })?.length).toBeLessThan(30);
    expect(performance.now() - startedMs).toBeLessThan(500);
  });

  it.each<[string, unknown]>([
    ["too long a text", { a: "z".repeat(1_000_001) }],
    ["too many members", Object.fromEntries(Array.from({ length: 600_000 }, (_, at) => [`k${at}`, at]))],
    ["too many items", { a: new Array(1_000_001).fill(0) }],
    ["a number that JSON does not know", { a: 1n }],
    ["a circle", circle()],
  ])("is undefined for %s", (_, args) => {
    expect(digestArguments(args)).toBeUndefined();
  });
});

function circle(): object {
  const args: { self?: object } = {};
  args.self = args;
  return args;
}
