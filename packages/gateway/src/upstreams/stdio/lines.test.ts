import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./lines.ts";

function split(maxBytes: number, pieces: readonly Buffer[]) {
  const lines: string[] = [];
  const tooLong: { head: string; tail: string; bytes: number }[] = [];
  const splitter = new LineSplitter(maxBytes, {
    onLine: (line) => lines.push(line.toString()),
    onTooLong: ({ head, tail, bytes }) => tooLong.push({ head: head.toString(), tail: tail.toString(), bytes }),
  });
  for (const piece of pieces) splitter.push(piece);
  return { lines, tooLong };
}

test("lines are the same however the bytes are cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => text.replaceAll(/[\r\n]/g, ""))),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
      (texts, sizes) => {
        const bytes = Buffer.from(texts.map((text, index) => text + (index % 2 === 0 ? "\n" : "\r\n")).join(""));
        const pieces: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        expect(split(1_000, pieces).lines).toEqual(texts.filter((text) => text !== ""));
      },
    ),
  );
});

test("a line over the limit is reported by its ends, and the next line is read", () => {
  const long = `{"id":7,${"x".repeat(5_000)}}`;
  const bytes = Buffer.from(`a\n${long}\nb\n`);
  for (const size of [1, 100, 10_000]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    const { lines, tooLong } = split(1_000, pieces);
    expect(lines).toEqual(["a", "b"]);
    expect(tooLong).toEqual([{ head: long.slice(0, 256), tail: long.slice(-256), bytes: long.length }]);
  }
});

test("a line without an end is not a line", () => {
  expect(split(10, [Buffer.from("abc")])).toEqual({ lines: [], tooLong: [] });
});
