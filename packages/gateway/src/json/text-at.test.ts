import { describe, expect, it } from "vitest";
import { isTextAt } from "./text-at.ts";

describe("isTextAt", () => {
  const bytes = Buffer.from('{"name":"a\\u0062","é":1}');

  it("finds a text at its place only", () => {
    expect(isTextAt(bytes, 2, 6, "name")).toBe(true);
    expect(isTextAt(bytes, 1, 5, "name")).toBe(false);
    expect(isTextAt(bytes, 2, 6, "nane")).toBe(false);
    expect(isTextAt(bytes, 2, 6, "names")).toBe(false);
  });

  it("does not know texts that JSON can write in several ways", () => {
    expect(isTextAt(bytes, 9, 16, "a\\u0062")).toBe(false);
    const at = bytes.indexOf(0xc3);
    expect(isTextAt(bytes, at, at + 2, "Ã©")).toBe(false);
    expect(isTextAt(bytes, at, at + 2, "é")).toBe(false);
  });

  it("is false behind the end", () => {
    expect(isTextAt(bytes, bytes.length - 1, bytes.length + 1, "}}")).toBe(false);
  });
});
