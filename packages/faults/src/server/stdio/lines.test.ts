import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/runs.ts";
import { type Line, Lines } from "./lines.ts";

const MAX = 12;
const text = (line: Line) => ("bytes" in line ? new TextDecoder().decode(line.bytes) : `${line.tooLong.size} bytes`);

function linesOf(whole: string, cuts: readonly number[]): string[] {
  const bytes = new TextEncoder().encode(whole);
  const lines = new Lines(MAX);
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  let from = 0;
  return ends.flatMap((end) => {
    const found = [...lines.take(bytes.subarray(from, end))].map(text);
    from = end;
    return found;
  });
}

describe("lines", () => {
  it("are the same however the stream is cut", () => {
    const whole = fc.string({ unit: fc.constantFrom("a", "é", "\n", "{", '"'), maxLength: 60 });
    fc.assert(
      fc.property(whole, fc.array(fc.nat(), { maxLength: 10 }), (stream, cuts) => {
        const expected = stream
          .split("\n")
          .slice(0, -1)
          .map((line) => {
            const size = new TextEncoder().encode(line).length + 1;
            return size > MAX ? `${size} bytes` : `${line}\n`;
          });
        expect(linesOf(stream, cuts)).toEqual(expected);
      }),
      { numRuns: runs() },
    );
  });

  it("that are too long leave their outline", () => {
    const lines = new Lines(MAX);
    const chunk = new TextEncoder().encode('{"id":1,"params":{"deep":[1,2,3]}}\n');
    expect([...lines.take(chunk)]).toEqual([{ tooLong: { size: 35, outline: { id: 1, params: {} } } }]);
  });
});
