// A text as rules and searches read it: compatible characters, only common white space, nothing invisible, no backslash before a quotation mark, and none of
// the nulls of a text in UTF-16 that was read as bytes.

import { ASCII_ONLY, INVISIBLE_CHARACTERS } from "./line.ts";
import type { TextSpan } from "./rules/rule.ts";

/** A text as it is read, and where its characters stand in the text as it was given. */
export interface FoldedText {
  readonly text: string;
  /** Where each of its characters begins and ends in the given text; undefined if both are the same. */
  readonly places?: readonly TextSpan[];
}

const FOLDED = /\\{1,7}(?=")|[^\u0020-\u007e\t\r\n]\p{M}*/gu;
/** White space that not every engine takes for it. */
const RARE_SPACE = /^[\v\f\u1680\u2028\u2029]$/;
/**
 * More accents on one character are dropped: no writing needs them, and normalising takes time by the square of their number.
 * A character that stands for more others stays: a text of them would become many times as long.
 */
const MAX_CLUSTER = 8;

export function foldText(text: string): FoldedText {
  if (ASCII_ONLY.test(text) && !/\\"|[\0\v\f]/.test(text)) return { text };
  let folded = "";
  const places: TextSpan[] = [];
  const copy = (from: number, to: number) => {
    folded += text.slice(from, to);
    for (let at = from; at < to; at += 1) places.push({ start: at, end: at + 1 });
  };
  let done = 0;
  for (const { 0: found, index } of text.matchAll(FOLDED)) {
    copy(done, index);
    done = index + found.length;
    if (found.startsWith("\\") || found === "\0") continue;
    const cluster = found.slice(0, MAX_CLUSTER);
    const normal = cluster.normalize("NFKC").replace(INVISIBLE_CHARACTERS, "");
    const plain = RARE_SPACE.test(normal) ? " " : normal.length > MAX_CLUSTER ? cluster : normal;
    folded += plain;
    for (let at = 0; at < plain.length; at += 1) places.push({ start: index, end: done });
  }
  copy(done, text.length);
  return { text: folded, places };
}

export function unfoldSpan({ places }: FoldedText, { start, end }: TextSpan): TextSpan {
  if (places === undefined) return { start, end };
  return { start: places[start]?.start ?? start, end: places[end - 1]?.end ?? end };
}
