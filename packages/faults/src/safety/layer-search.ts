import { mayRead } from "./filter-work.ts";
import { decodeBackslash, decodeBase64, decodeHex, decodeHtml, decodePercent, hasBase64 } from "./layers.ts";
import { ASCII, INVISIBLE, replaceCompatible } from "./line.ts";
import type { StringSearch } from "./string-search.ts";

/**
 * How many layers of encoding are removed in the search for a secret. Each layer is percent, backslash or HTML escapes of
 * some or all characters, base64, or hex.
 */
export const DECODING_DEPTH = 2;

/** Printable ASCII on one line without a sign that an escape begins with. Most texts need no more than one search. */
const UNESCAPED = /^[ -$'-[\]-~]*$/;

/**
 * Tells whether a text contains one of the strings, as it is or under the layers of encoding that are removed. A text that
 * may not be searched any more counts as one that contains them.
 */
export function foundUnderLayers(searches: readonly StringSearch[], text: string): boolean {
  const isIn = (view: string) => searches.some((search) => search.foundIn(view));
  if (!mayRead(text.length, "secrets") || isIn(text)) return true;
  const minLength = Math.min(...searches.map((search) => search.shortest));
  if (UNESCAPED.test(text) && !hasBase64(text, minLength)) return false;
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
    for (const decoded of decodingsOf({ texts: new Set([each, folded]), joined, minLength }))
      if (!texts.has(decoded)) texts.set(decoded, depth + 1);
  }
  return false;
}

/** Without invisible characters, and with compatibility characters replaced. */
function foldText(text: string): string {
  const visible = ASCII.test(text) ? text : replaceCompatible(text.replace(INVISIBLE, ""));
  // Texts in UTF-16 that were read as bytes have a null beside each character.
  return visible.includes("\0") ? visible.replaceAll("\0", "") : visible;
}

const ESCAPES = [
  ["%", decodePercent],
  ["\\", decodeBackslash],
  ["&", decodeHtml],
] as const;

interface DecodingSource {
  /** The text as it is and folded. Folding can join the last digit of an escape with an accent that follows. */
  readonly texts: Iterable<string>;
  /** The folded text as one line: base64 and hex are often wrapped. */
  readonly joined: string;
  readonly minLength: number;
}

/** The text without one layer of each encoding. */
function* decodingsOf({ texts, joined, minLength }: DecodingSource): Iterable<string> {
  for (const text of texts) for (const [mark, decode] of ESCAPES) if (text.includes(mark)) yield decode(text);
  yield decodeBase64(joined, minLength);
  yield decodeHex(joined, minLength);
}
