import { stripVTControlCharacters } from "node:util";
import type { Environment, Output } from "./output.ts";

const DEFAULT_WIDTH = 80;
/** Narrower than this nothing can be read, so lines break anywhere. */
const MIN_WIDTH = 20;

/** The width to write for: that of the terminal, `COLUMNS`, or 80. */
export function widthOf(output: Pick<Output, "columns">, env: Environment = {}): number {
  const known = [output.columns, Number(env["COLUMNS"])].find(
    (one) => one !== undefined && Number.isInteger(one) && one > 0,
  );
  return Math.max(MIN_WIDTH, known ?? DEFAULT_WIDTH);
}

// Joiners, marks and format characters take no place of their own.
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
// East Asian wide and full-width characters, and emoji that are drawn as pictures.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u;

/** How many columns a text takes in a terminal. Styles take none. */
export function visibleWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
  if (/^[\u0000-\u007f]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const character of plain) width += ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** The text with spaces behind it, up to a width. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleWidth(text)));
}

/** The beginning of a text without styles that fits, with `ellipsis` where something was cut. */
export function cutTo(text: string, width: number, ellipsis = "…"): string {
  if (visibleWidth(text) <= width) return text;
  const room = width - visibleWidth(ellipsis);
  let head = "";
  let used = 0;
  for (const character of text) {
    used += visibleWidth(character);
    if (used > room) break;
    head += character;
  }
  return head.trimEnd() + ellipsis;
}
