import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonOutline } from "./stdin.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The outline of a text that comes in two pieces. */
function outlineOf(text: string, at = text.length): unknown {
  const outline = new JsonOutline();
  const all = bytes(`${text}\n`);
  for (const piece of [all.subarray(0, at), all.subarray(at)]) outline.add(piece);
  return outline.read();
}

const emptied = (value: unknown) =>
  Array.isArray(value) ? [] : typeof value === "object" && value !== null ? {} : value;

describe("an outline", () => {
  it("is the outermost level, with what is nested emptied, wherever the bytes are cut", () => {
    const members = fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 8 });
    fc.assert(
      fc.property(members, fc.nat(), (message, cut) => {
        const text = JSON.stringify(message);
        const plain = JSON.parse(text) as Record<string, unknown>;
        const flat = Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, emptied(value)]));
        fc.pre(JSON.stringify(flat).length < 4_000);
        expect(outlineOf(text, cut % (bytes(text).length + 1))).toEqual(flat);
      }),
      { numRuns: runs() },
    );
  });

  it("has nothing of what is nested", () => {
    expect(outlineOf('{"id":1,"params":{"deep":[1,2,3]}}')).toEqual({ id: 1, params: {} });
  });

  it("finds an id behind megabytes", () => {
    const params = { arguments: { text: `"}]\\${"x".repeat(3_000_000)}` } };
    expect(outlineOf(JSON.stringify({ method: "tools/call", params, jsonrpc: "2.0", id: 7 }))).toMatchObject({
      id: 7,
    });
  });

  it.each(["", "{", "}}}}", "nonsense"])("knows nothing about %j", (text) => {
    expect(outlineOf(text)).toBeUndefined();
  });

  it("is given up when the outermost level itself is long", () => {
    expect(outlineOf(JSON.stringify({ id: 1, method: "x".repeat(5_000) }))).toBeUndefined();
  });
});
