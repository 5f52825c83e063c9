import { INVISIBLE } from "./line.ts";

const ESCAPED = /%[0-9a-f]{2}|\\["'/\\bfnrtux]|&(?:#\d{2,6}|#x[0-9a-f]{2,6}|quot|amp|lt|gt|apos);/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
const ASCII = /^[\u0000-\u007f]*$/;

const HTML_ENTITIES: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };
const BACKSLASH_LETTERS: Readonly<Record<string, string>> = { b: " ", f: " ", n: "\n", r: "\n", t: "\t" };

/**
 * The text as a reader may understand it: compatibility characters replaced, invisible characters removed, and one layer
 * of percent, backslash or HTML escapes decoded.
 */
export function unescapeText(text: string): string {
  const folded = ASCII.test(text) ? text : text.normalize("NFKC").replace(INVISIBLE, "");
  return ESCAPED.test(folded) ? decodeEscapes(folded) : folded;
}

function decodeEscapes(text: string): string {
  return text
    .replace(/(?:%[0-9a-f]{2}){1,200}/gi, decodePercent)
    .replace(
      /\\{1,7}(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(["'/bfnrt]))/gi,
      (_, unit: string, byte: string, char: string) =>
        char === undefined ? fromCode(Number.parseInt(unit ?? byte, 16)) : (BACKSLASH_LETTERS[char] ?? char),
    )
    .replace(
      /&(?:#(\d{2,6})|#x([0-9a-f]{2,6})|(quot|amp|lt|gt|apos));/gi,
      (_, ten: string, hex: string, name: string) =>
        name === undefined
          ? fromCode(ten === undefined ? Number.parseInt(hex, 16) : Number(ten))
          : (HTML_ENTITIES[name.toLowerCase()] ?? ""),
    );
}

function decodePercent(run: string): string {
  try {
    return decodeURIComponent(run);
  } catch {
    return run.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => fromCode(Number.parseInt(hex, 16)));
  }
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
