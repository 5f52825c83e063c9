// Decoders of the encodings in which a text may hide another. Each is exact: it decodes its own encoding only.

import { ASCII_ONLY } from "./line.ts";

const HTML_ENTITIES: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };

/** Percent escapes: `%61`. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => fromUtf8(hexBytes(run.replaceAll("%", ""))));
}

/** HTML entities: by number, and the five names that every escaper uses. */
export function decodeHtmlEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,10})|#x([0-9a-f]{1,8})|(quot|amp|lt|gt|apos));?/gi,
    (_, decimal?: string, hex?: string, name = "") =>
      name === ""
        ? fromCode(decimal ?? hex, decimal === undefined ? 16 : 10)
        : (HTML_ENTITIES[name.toLowerCase()] ?? ""),
  );
}

function fromCode(digits = "", radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** The texts of at least so many characters in a run of base64, each on its own line. */
export function decodeBase64Run(run: string, minLength: number): string {
  const plain = run
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replaceAll(/[^A-Za-z0-9+/]/g, "");
  // Other characters of the alphabet may come before the base64, so a run is read from each of four places.
  return [0, 1, 2, 3].flatMap((start) => findTextRuns(base64Bytes(plain.slice(start)), minLength)).join("\n");
}

function base64Bytes(run: string): string {
  return atob(run.length % 4 === 1 ? run.slice(0, -1) : run);
}

/**
 * Parts of bytes that can be text of at least so many characters. The bytes are given as one character each. Most words
 * decode to bytes that are not text, so little is left to search.
 */
export function findTextRuns(bytes: string, minLength: number): readonly string[] {
  const texts = bytes.match(TEXT) ?? [];
  return texts.filter((text) => text.length >= minLength).map(fromUtf8);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are in texts, and the nulls in UTF-16.
const TEXT = /(?:[\u0000\t\n\r -~]|[\u00c2-\u00f4][\u0080-\u00bf]{1,3})+/g;

/** Bytes as one character each. A digit that is left over at the end is ignored. */
function hexBytes(digits: string): string {
  let bytes = "";
  for (let at = 0; at + 1 < digits.length; at += 2)
    bytes += String.fromCharCode(Number.parseInt(digits.slice(at, at + 2), 16));
  return bytes;
}

const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of UTF-8 bytes that are given as one character each. */
function fromUtf8(bytes: string): string {
  if (ASCII_ONLY.test(bytes)) return bytes;
  return utf8Decoder.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}
