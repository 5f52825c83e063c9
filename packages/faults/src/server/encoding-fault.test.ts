import { expect, test } from "vitest";
import { encodingFault } from "./encoding-fault.ts";

const bytes = (...parts: readonly (string | number)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part)))));

test.each([
  ["the first byte", bytes(0xff), 0],
  ["after letters of one and more bytes", bytes("aé€😀", 0xff, "b"), 10],
  ["after a byte order mark", bytes("\ufeffa", 0xc3, "("), 4],
  ["a sequence that is cut off", bytes("ab", 0xe2, 0x82), 2],
  ["after a replacement character that was sent", bytes("x\ufffd\ufffd", 0x80), 7],
  ["no wrong byte", bytes("a\ufffd"), undefined],
])("%s", (_about, content, position) => {
  expect(encodingFault(content).params).toEqual({ encoding: "utf-8", ...(position !== undefined && { position }) });
});
