import type { Fault } from "../fault/fault.ts";
import { invalid_encoding } from "../reasons/library/content.ts";

const REPLACEMENT = "\ufffd";
const REPLACEMENT_BYTES = [0xef, 0xbf, 0xbd];

/** The fault of bytes that are not UTF-8, with the place of the first wrong byte. */
export function encodingFault(bytes: Uint8Array): Fault {
  const position = wrongByteAt(bytes);
  return invalid_encoding.fault({ encoding: "utf-8", ...(position !== undefined && { position }) });
}

/** Where the first sequence begins that is not UTF-8. A decoder replaces it, and leaves a replacement that was sent. */
function wrongByteAt(bytes: Uint8Array): number | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const encoder = new TextEncoder();
  let position = 0;
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, from)) {
    position += encoder.encode(text.slice(from, at)).length;
    if (REPLACEMENT_BYTES.some((byte, index) => bytes[position + index] !== byte)) return position;
    position += REPLACEMENT_BYTES.length;
    from = at + 1;
  }
  return undefined;
}
