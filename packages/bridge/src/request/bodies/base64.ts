import { made, type Result, refused } from "../result.ts";

/** Bytes of a text in base64, in either alphabet, with or without padding; nothing else is let through. */
export function fromBase64(value: unknown, maxBytes: number): Result<Uint8Array<ArrayBuffer>> {
  if (typeof value !== "string") return refused("type", "text in base64");
  if (value.length > Math.ceil(maxBytes / 3) * 4 + 4) return refused("length", `at most ${maxBytes} bytes`);
  if (!/^[\w+/-]*={0,2}$/.test(value) || value.replace(/=+$/, "").length % 4 === 1)
    return refused("format", "text in base64");
  const bytes = Uint8Array.from(Buffer.from(value, "base64"));
  return bytes.byteLength > maxBytes ? refused("length", `at most ${maxBytes} bytes`) : made(bytes);
}
