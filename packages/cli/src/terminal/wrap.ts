import { visibleWidth } from "./width.ts";

/** Where the lines of a wrapped text begin and end. */
export interface WrapOptions {
  /** Columns of a line, the indent among them. */
  readonly width: number;
  /** What each line begins with. @default "" */
  readonly indent?: string;
  /** What the first line begins with. @default indent */
  readonly first?: string;
}

/** Breaks a text into lines between words. A word that is longer than a line is broken as well. */
export function wrap(text: string, { width, indent = "", first = indent }: WrapOptions): string[] {
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
