// One layer of each encoding in which a secret may be written. Each decoder is exact: it decodes its own encoding only.

import { mayRead } from "./filter-work.ts";
import { ASCII_ONLY, INVISIBLE_CHARACTERS, replaceCompatible } from "./line.ts";

const HTML_ENTITIES: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };
const BACKSLASH_LETTERS: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Percent escapes: `%61`, and `%u0061` of older scripts. */
export function decodePercent(text: string): string {
  return text.replace(/%u([0-9a-f]{4})|(?:%[0-9a-f]{2})+/gi, (run, unit?: string) =>
    unit === undefined ? fromUtf8(hexBytes(run.replaceAll("%", ""))) : fromCode(unit, 16),
  );
}

/** Backslash escapes of JSON and JavaScript: `\n`, `\"`, `\u0061`, `\u{61}`, `\x61`. */
export function decodeBackslash(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|x([0-9a-f]{2})|(["'/\\`bfnrt]))/gi,
    (_, unit?: string, point?: string, byte?: string, char = "") =>
      char === "" ? fromCode(unit ?? point ?? byte, 16) : (BACKSLASH_LETTERS[char] ?? char),
  );
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

const utf8Decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of UTF-8 bytes that are given as one character each. */
function fromUtf8(bytes: string): string {
  if (ASCII_ONLY.test(bytes)) return bytes;
  // A byte alone is no character, and the decoder is slow to say so many times.
  if (bytes.length === 1) return "\ufffd";
  const coded = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at++) coded[at] = bytes.charCodeAt(at);
  return utf8Decoder.decode(coded);
}

const BASE64_CHARS = charTable(/[A-Za-z0-9+/_-]/);
const HEX_CHARS = charTable(/[0-9a-fA-F]/);

/** How many characters of base64 a text of this length takes. */
function base64Length(minLength: number): number {
  return Math.ceil((minLength * 4) / 3);
}

/** The texts in base64 of at least so many characters, each on its own line. */
export function decodeBase64Runs(text: string, minLength: number): string {
  return runsOf(text, BASE64_CHARS, base64Length(minLength))
    .map((run) => run.replaceAll("-", "+").replaceAll("_", "/"))
    .flatMap((run) => [0, 1, 2, 3].flatMap((start) => findTextRuns(base64Bytes(run.slice(start)), minLength)))
    .join("\n");
}

// Other characters of the alphabet may come before the base64, so a run is read from each of four places.
function base64Bytes(run: string): string {
  return atob(run.length % 4 === 1 ? run.slice(0, -1) : run);
}

/** The texts in hex of at least so many characters, each on its own line. */
export function decodeHexRuns(text: string, minLength: number): string {
  return runsOf(text, HEX_CHARS, minLength * 2)
    .flatMap((run) => [run, run.slice(1)].flatMap((digits) => findTextRuns(hexBytes(digits), minLength)))
    .join("\n");
}

const BYTE_CHARACTERS = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));

/** Bytes as one character each. A digit that is left over at the end is ignored. */
function hexBytes(digits: string): string {
  let bytes = "";
  for (let at = 0; at + 1 < digits.length; at += 2)
    bytes += BYTE_CHARACTERS[hexDigit(digits.charCodeAt(at)) * 16 + hexDigit(digits.charCodeAt(at + 1))];
  return bytes;
}

/** The value of a hexadecimal digit. */
function hexDigit(code: number): number {
  return code < 58 ? code - 48 : (code | 32) - 87;
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

function charTable(chars: RegExp): Uint8Array {
  return Uint8Array.from({ length: 128 }, (_, code) => (chars.test(String.fromCharCode(code)) ? 1 : 0));
}

/** The parts of a text that consist of these characters and are long enough. */
function runsOf(text: string, chars: Uint8Array, min: number): readonly string[] {
  const runs: string[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && chars[text.charCodeAt(at)] === 1) continue;
    if (at - start >= min) runs.push(text.slice(start, at));
    start = at + 1;
  }
  return runs;
}

const ESCAPED = /%[0-9a-f]{2}|\\["'/\\bfnrtux]|&(?:#\d{2,6}|#x[0-9a-f]{2,6}|quot|amp|lt|gt|apos);/i;
/** Backslashes that were escaped again, before the escape that they belong to. */
const REPEATED_BACKSLASH = /\\{2,7}(?=u[0-9a-f{]|x[0-9a-f]|["'/bfnrt])/gi;

/**
 * The text as a reader may understand it: compatibility characters replaced, invisible characters removed, and one layer
 * of percent, backslash or HTML escapes decoded.
 */
export function unescapeText(text: string): string {
  const folded = ASCII_ONLY.test(text) ? text : replaceCompatible(text).replace(INVISIBLE_CHARACTERS, "");
  return ESCAPED.test(folded) ? decodeEscapes(folded) : folded;
}

function decodeEscapes(text: string): string {
  return decodeHtmlEntities(decodeBackslash(decodePercent(text).replace(REPEATED_BACKSLASH, "\\")));
}

/**
 * How many layers of encoding are removed in the search for a secret. Each layer is percent, backslash or HTML escapes of
 * some or all characters, base64, or hex.
 */
export const DECODING_DEPTH = 2;

/** Printable ASCII without the signs that an escape begins with. */
const UNESCAPED_CHARS = charTable(/[ -$'-[\]-~]/);

/** Tells whether a text may hide others: by escapes, by characters that fold, or as base64 or hex. Most texts do not. */
export function mayBeEncoded(text: string, minLength: number): boolean {
  const longRun = base64Length(minLength);
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (UNESCAPED_CHARS[code] !== 1) return true;
    run = BASE64_CHARS[code] === 1 ? run + 1 : 0;
    if (run >= longRun) return true;
  }
  return false;
}

/** Finds some strings in a text. */
interface TextSearch {
  /** The length of the shortest string. */
  readonly shortest: number;
  foundIn(text: string): boolean;
}

/**
 * Tells whether a text contains one of the strings, as it is or under the layers of encoding that are removed. A text that
 * may not be searched any more counts as one that contains them.
 */
export function foundUnderLayers(searches: readonly TextSearch[], text: string): boolean {
  const isIn = (view: string) => searches.some((search) => search.foundIn(view));
  if (!mayRead(text.length, "secrets") || isIn(text)) return true;
  const minLength = searches.reduce((least, search) => Math.min(least, search.shortest), Number.POSITIVE_INFINITY);
  if (!mayBeEncoded(text, minLength)) return false;
  // Each text once: two encodings that are removed in either order mostly give the same text.
  const texts = new Map([[text, 0]]);
  for (const [each, depth] of texts) {
    const folded = foldText(each);
    // A compatibility character can stand for 18 others.
    if (!mayRead(Math.max(each.length, folded.length), "decoding")) return true;
    const joined = /[\r\n]/.test(folded) ? folded.replace(/[\r\n]+[\t ]{0,16}/g, "") : folded;
    if (each !== text && isIn(each)) return true;
    if (folded !== each && isIn(folded)) return true;
    if (joined !== folded && isIn(joined)) return true;
    if (depth === DECODING_DEPTH) continue;
    for (const decoded of decodings({ texts: new Set([each, folded]), joined, minLength }))
      if (!texts.has(decoded)) texts.set(decoded, depth + 1);
  }
  return false;
}

/** Without invisible characters, and with compatibility characters replaced. */
function foldText(text: string): string {
  const visible = ASCII_ONLY.test(text) ? text : replaceCompatible(text.replace(INVISIBLE_CHARACTERS, ""));
  // Texts in UTF-16 that were read as bytes have a null beside each character.
  return visible.includes("\0") ? visible.replaceAll("\0", "") : visible;
}

const ESCAPE_DECODERS = [
  ["%", decodePercent],
  ["\\", decodeBackslash],
  ["&", decodeHtmlEntities],
] as const;

interface DecodingSource {
  /** The text as it is and folded. Folding can join the last digit of an escape with an accent that follows. */
  readonly texts: Iterable<string>;
  /** The folded text as one line: base64 and hex are often wrapped. */
  readonly joined: string;
  readonly minLength: number;
}

/** The text without one layer of each encoding. */
function* decodings({ texts, joined, minLength }: DecodingSource): Iterable<string> {
  for (const text of texts) for (const [mark, decode] of ESCAPE_DECODERS) if (text.includes(mark)) yield decode(text);
  yield decodeBase64Runs(joined, minLength);
  yield decodeHexRuns(joined, minLength);
}
