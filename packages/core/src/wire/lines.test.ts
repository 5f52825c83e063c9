import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { LineReader, type LineReaderOptions, readLines } from "./lines.ts";

/** Lines as texts, and those over the limit as their lengths. */
function splitLines(
  pieces: readonly Uint8Array[],
  options: Pick<LineReaderOptions, "maxBytes" | "keepEnd" | "onExcess"> = {},
): (string | number)[] {
  const lines: (string | number)[] = [];
  const reader = new LineReader({
    ...options,
    onLine: (line) => lines.push(Buffer.from(line).toString()),
    onTooLong: (size) => lines.push(size),
  });
  for (const piece of pieces) reader.push(piece);
  return lines;
}

/** Cuts bytes into pieces of these sizes in turn. */
function cutInto(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

const sizesOfPieces = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });

describe("lines", () => {
  test("are the same however the bytes are cut", () => {
    const line = fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => text.replaceAll(/[\r\n]/g, ""));
    fc.assert(
      fc.property(fc.array(line), sizesOfPieces, (texts, sizes) => {
        const bytes = Buffer.from(texts.map((text, index) => text + (index % 2 === 0 ? "\n" : "\r\n")).join(""));
        expect(splitLines(cutInto(bytes, sizes), { maxBytes: 1_000 })).toEqual(texts.filter((text) => text !== ""));
      }),
      { numRuns: runs() },
    );
  });

  test("with their ends are the same however the bytes are cut, those over the limit as well", () => {
    const maxBytes = 12;
    const whole = fc.string({ unit: fc.constantFrom("a", "é", "\n", "\r", "{", '"'), maxLength: 60 });
    fc.assert(
      fc.property(whole, sizesOfPieces, (stream, sizes) => {
        const expected = stream
          .split("\n")
          .slice(0, -1)
          .map((line) => {
            const size = Buffer.byteLength(line) + 1;
            return size > maxBytes ? size : `${line}\n`;
          });
        expect(splitLines(cutInto(Buffer.from(stream), sizes), { maxBytes, keepEnd: true })).toEqual(expected);
      }),
      { numRuns: runs() },
    );
  });

  test("tell their length with a carriage return", () => {
    const sizes: number[] = [];
    new LineReader({ onLine: (_line, size) => sizes.push(size) }).push(Buffer.from("ab\r\nab\n"));
    expect(sizes).toEqual([3, 2]);
  });

  test("without an end are none, unless the stream has ended", () => {
    expect(splitLines([Buffer.from("abc")], { maxBytes: 10 })).toEqual([]);
    const lines: string[] = [];
    const reader = new LineReader({ onLine: (line) => lines.push(Buffer.from(line).toString()) });
    reader.push(Buffer.from("ab\nc"));
    reader.end();
    reader.end();
    expect(lines).toEqual(["ab", "c"]);
  });

  test("are not copied if they came in one piece", () => {
    const chunk = Buffer.from("one\ntwo\n");
    new LineReader({ onLine: (line) => expect(line.buffer).toBe(chunk.buffer) }).push(chunk);
    expect.assertions(2);
  });
});

test("a line over the limit passes in pieces, whole and in order, and the next line is read", () => {
  const long = `{"id":7,${"x".repeat(5_000)}}`;
  const bytes = Buffer.from(`a\n${long}\nb\n`);
  for (const size of [1, 100, 10_000]) {
    const passed: string[] = [];
    const options = { maxBytes: 1_000, onExcess: (piece: Uint8Array) => passed.push(Buffer.from(piece).toString()) };
    expect(splitLines(cutInto(bytes, [size]), options)).toEqual(["a", long.length, "b"]);
    expect(passed.join("")).toBe(long);
  }
});

test("bytes over the limit are counted as they come", () => {
  const reader = new LineReader({ maxBytes: 10, onLine: () => {} });
  reader.push(Buffer.from("short\n0123456789"));
  expect(reader.excessBytes).toBe(0);
  reader.push(Buffer.from("x"));
  expect(reader.excessBytes).toBe(11);
  reader.push(Buffer.from("yz\nshort\n"));
  expect(reader.excessBytes).toBe(13);
});

describe("readLines", () => {
  async function collect(texts: readonly string[], options?: Parameters<typeof readLines>[1]) {
    async function* chunks() {
      yield* texts.map((text) => Buffer.from(text));
    }
    const lines: [string, boolean][] = [];
    for await (const { bytes, isCut } of readLines(chunks(), options))
      lines.push([Buffer.from(bytes).toString(), isCut]);
    return lines;
  }

  it("gives every line, and the beginning of one that is too long", async () => {
    expect(await collect(["abc\nde", "fghi\n\nabcde\nx"], { maxBytes: 5 })).toEqual([
      ["abc", false],
      ["defgh", true],
      ["", false],
      ["abcde", false],
    ]);
  });

  it("gives what follows the last line feed only if it is asked for", async () => {
    expect(await collect(["a\nb"])).toEqual([["a", false]]);
    expect(await collect(["a\n", "b"], { lastLine: true })).toEqual([
      ["a", false],
      ["b", false],
    ]);
    for (const last of ["abcdef", "abcdefg"])
      expect(await collect([last], { lastLine: true, maxBytes: 5 })).toEqual([["abcde", true]]);
  });
});
