import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterWindow, isReadable, readText, toLine } from "./line.ts";

describe("toLine", () => {
  it.each([
    ["plain text", "plain text"],
    ["  two\r\n\tlines  ", "two lines"],
    ["a\u2028b\u2029c\u0085d", "a b c d"],
    ["a\u0000b\u001bc\u007fd\u009be", "a b c d e"],
    ["gnp\u202e.exe\u2066!\u2069", "gnp.exe!"],
    ["to\u200bken\ufeff\u00ad", "token"],
    ["x\u{e0041}\ufe0fy", "xy"],
    ["lone \ud800 half", "lone \ufffd half"],
    ["Käse 😀 ‘ok’", "Käse 😀 ‘ok’"],
    ["", ""],
  ])("makes one printable line of %j", (text, line) => {
    expect(toLine(text, 80)).toBe(line);
  });

  it("cuts at the limit, with an ellipsis and without a split pair or a dangling space", () => {
    expect(toLine("abcdef", 6)).toBe("abcdef");
    expect(toLine("abcdefg", 6)).toBe("abcde…");
    expect(toLine("abcd 😀😀", 7)).toBe("abcd…");
    expect(toLine("abcd efgh", 6)).toBe("abcd…");
    expect(toLine("abc", 1)).toBe("…");
    expect(toLine("abc", 0)).toBe("");
  });

  it("shows that a text was cut even if its window is blank", () => {
    expect(toLine(`${" ".repeat(5000)}secret`, 80)).toBe("…");
  });

  it("is within the limit, well formed and stable for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 60 }), (text, max) => {
        const line = toLine(text, max);
        expect(line.length).toBeLessThanOrEqual(max);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]| {2}/u);
        expect(toLine(line, max)).toBe(line);
      }),
    );
  });
});

const bytes = (text: string, encoding: BufferEncoding = "utf8") => new Uint8Array(Buffer.from(text, encoding));

it("reads text in its character set", () => {
  expect(readText(bytes("é\n\tok"))).toBe("é\n\tok");
  expect(readText(bytes("é", "latin1"), { charset: "iso-8859-1" })).toBe("é");
  expect(readText(bytes("hunter2", "utf16le"), { charset: "utf-16le" })).toBe("hunter2");
});

it.each([
  ["bytes that are not UTF-8", bytes("é", "latin1"), {}],
  ["UTF-16 without its name", bytes("hunter2", "utf16le"), {}],
  ["UTF-16 under another name", bytes("hunter2", "utf16le"), { charset: "windows-1252" }],
  ["compressed data", new Uint8Array(gzipSync("hunter2")), {}],
  ["compressed data with the name of a character set", new Uint8Array(gzipSync("hunter2")), { charset: "latin1" }],
  ["an unknown character set", bytes("a"), { charset: "klingon" }],
  ["a character that is cut", bytes("é").slice(0, 1), {}],
])("takes %s for no text", (_name, data, options) => {
  expect(readText(data, options)).toBeUndefined();
});

it("leaves out a character that a limit cut", () => {
  expect(readText(bytes("aé").slice(0, 2), { cut: true })).toBe("a");
});

it("recognises what another decoder made of bytes that are not text", () => {
  expect(["plain", "a\u0000b", "a\ufffd"].map(isReadable)).toEqual([true, false, false]);
});

it("never ends in half a surrogate pair", () => {
  for (const pair of ["😀", "\u{10000}", "\u{10fffd}"]) {
    expect(filterWindow(`${"a".repeat(4095)}${pair}b`)).toBe("a".repeat(4095));
    expect(filterWindow(`${"a".repeat(4094)}${pair}b`)).toBe(`${"a".repeat(4094)}${pair}`);
  }
});
