import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/runs.ts";
import { Skeleton } from "./skeleton.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function skeletonOf(text: string, at = text.length): unknown {
  const skeleton = new Skeleton();
  const all = bytes(text);
  skeleton.add(all.subarray(0, at));
  skeleton.add(all.subarray(at));
  return skeleton.read();
}

const emptied = (value: unknown) =>
  Array.isArray(value) ? [] : typeof value === "object" && value !== null ? {} : value;

describe("a skeleton", () => {
  it("is the outermost level, with what is nested emptied, wherever the bytes are cut", () => {
    const members = fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 8 });
    fc.assert(
      fc.property(members, fc.nat(), (message, cut) => {
        const text = JSON.stringify(message);
        const plain = JSON.parse(text) as Record<string, unknown>;
        const flat = Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, emptied(value)]));
        fc.pre(JSON.stringify(flat).length < 4_000);
        expect(skeletonOf(text, cut % (bytes(text).length + 1))).toEqual(flat);
      }),
      { numRuns: runs() },
    );
  });

  it("finds an id behind megabytes", () => {
    const params = { arguments: { text: `"}]\\${"x".repeat(3_000_000)}` } };
    expect(skeletonOf(JSON.stringify({ method: "tools/call", params, jsonrpc: "2.0", id: 7 }))).toMatchObject({
      id: 7,
    });
  });

  it.each(["", "{", "}}}}", "nonsense", "\n"])("knows nothing about %j", (text) => {
    expect(skeletonOf(text)).toBeUndefined();
  });

  it("is given up when the outermost level itself is long", () => {
    expect(skeletonOf(JSON.stringify({ id: 1, method: "x".repeat(5_000) }))).toBeUndefined();
  });
});
