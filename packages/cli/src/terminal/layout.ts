import { stripVTControlCharacters } from "node:util";

// Joiners, marks and format characters take no place of their own.
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
// East Asian wide and full-width characters, and emoji that are drawn as pictures.
const WIDE_CHARACTER =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u;

/** How many columns a text takes in a terminal. Styles take none. */
export function visibleWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
  if (/^[\u0000-\u007f]*$/.test(plain)) return plain.length;
  let width = 0;
  for (const character of plain) width += ZERO_WIDTH.test(character) ? 0 : WIDE_CHARACTER.test(character) ? 2 : 1;
  return width;
}

/** The text with spaces behind it, up to a width. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - visibleWidth(text)));
}

/** The beginning of a text without styles that fits, with `ellipsis` if something was cut. */
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

/** Where the lines of a wrapped text begin and end. */
interface WrapOptions {
  /** Columns of a line, the indent among them. */
  readonly width: number;
  /** What each line begins with. @default "" */
  readonly indent?: string;
  /** What the first line begins with. @default indent */
  readonly first?: string;
}

/** Breaks a text into lines between words. A word that is longer than a line is broken as well. */
export function wrapText(text: string, { width, indent = "", first = indent }: WrapOptions): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = lines.length === 0 ? first : indent;
    let empty = true;
    for (const word of paragraph.split(" ")) {
      const gap = empty ? "" : " ";
      if (visibleWidth(line + gap + word) <= width) {
        line += gap + word;
        empty = false;
        continue;
      }
      if (!empty) {
        lines.push(line.trimEnd());
        line = indent;
      }
      const pieces = breakWord(word, Math.max(1, width - visibleWidth(line)));
      for (const piece of pieces.slice(0, -1)) {
        lines.push(line + piece);
        line = indent;
      }
      line += pieces.at(-1) ?? "";
      empty = false;
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

// A style sequence is never cut: it takes no column, so it stays with the character behind it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape begins a sequence.
const STYLE_OR_CHARACTER = /\u001b\[[0-9;]*m|[\s\S]/gu;

function breakWord(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const [part] of word.matchAll(STYLE_OR_CHARACTER)) {
    if (visibleWidth(piece + part) > width && visibleWidth(piece) > 0) {
      pieces.push(piece);
      piece = "";
    }
    piece += part;
  }
  return [...pieces, piece];
}

/** How rows are laid out. */
interface ColumnOptions {
  /** Columns of the terminal. */
  readonly width: number;
  /** What each line begins with. @default two spaces */
  readonly indent?: string;
  /** Spaces between columns. @default 2 */
  readonly gap?: number;
}

/** The last column gets at least this many columns; in a narrower terminal it moves to a line of its own. */
const MIN_LAST = 24;

/** Lays out rows of cells in columns. The last column is wrapped; the others are as wide as their widest cell. */
export function layOut(
  rows: readonly (readonly string[])[],
  { width, indent = "  ", gap = 2 }: ColumnOptions,
): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: Math.max(0, count - 1) }, (_, at) =>
    Math.max(...rows.map((row) => (at < row.length - 1 ? visibleWidth(row[at] ?? "") : 0))),
  );
  const start = visibleWidth(indent) + widths.reduce((sum, one) => sum + one + gap, 0);
  return rows.flatMap((row) => {
    const head = row.slice(0, -1).map((cell, at) => padTo(cell, (widths[at] ?? 0) + gap));
    const last = row.at(-1) ?? "";
    if (width - start >= MIN_LAST)
      return wrapText(last, { width, indent: " ".repeat(start), first: indent + head.join("") });
    const below = wrapText(last, { width, indent: `${indent}    ` });
    const above = wrapText(head.join("").trimEnd(), { width, indent });
    return head.length === 0 ? below : [...above, ...(last === "" ? [] : below)];
  });
}
