import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/runs.ts";
import { Lines } from "./lines.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** The outline of a line that is too long by its first byte. */
function outlineOf(text: string, at = text.length): unknown {
  const lines = new Lines(0);
  const all = bytes(`${text}\n`);
  const [line] = [...lines.take(all.subarray(0, at)), ...lines.take(all.subarray(at))];
  return line !== undefined && "tooLong" in line ? line.tooLong.outline : undefined;
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
