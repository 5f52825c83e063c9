import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { isReadable, readText } from "./read-text.ts";

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
