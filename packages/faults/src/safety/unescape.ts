import { decodeBackslash, decodeHtml, decodePercent } from "./layers.ts";
import { ASCII, INVISIBLE, replaceCompatible } from "./line.ts";

const ESCAPED = /%[0-9a-f]{2}|\\["'/\\bfnrtux]|&(?:#\d{2,6}|#x[0-9a-f]{2,6}|quot|amp|lt|gt|apos);/i;
/** Backslashes that were escaped again, before the escape that they belong to. */
const REPEATED_BACKSLASH = /\\{2,7}(?=u[0-9a-f{]|x[0-9a-f]|["'/bfnrt])/gi;

/**
 * The text as a reader may understand it: compatibility characters replaced, invisible characters removed, and one layer
 * of percent, backslash or HTML escapes decoded.
 */
export function unescapeText(text: string): string {
  const folded = ASCII.test(text) ? text : replaceCompatible(text).replace(INVISIBLE, "");
  return ESCAPED.test(folded) ? decodeEscapes(folded) : folded;
}

function decodeEscapes(text: string): string {
  return decodeHtml(decodeBackslash(decodePercent(text).replace(REPEATED_BACKSLASH, "\\")));
}
