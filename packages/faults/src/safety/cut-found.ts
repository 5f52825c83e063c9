/** Stands for what was cut out of a text. It is no value in the eyes of any rule. */
export const CUT = "<removed>";

/** After so many cuts the rest of a text is cut too. */
const MAX_CUTS = 200;
/** How often a result is searched again. */
const MAX_ROUNDS = 3;
/** The first step of a search. It doubles, so a search costs little where something is found soon. */
const FIRST_STEP = 32;
/** What a value may go on with: the rest of a word that was found in part. */
const WORD = /[A-Za-z0-9_-]/;

/**
 * The text without those parts in which a value is found. What is cut is the shortest part in which it is found, with the
 * rest of the word at both ends.
 */
export function cutFound(text: string, isFoundIn: (part: string) => boolean): string {
  return cutAll(text, isFoundIn, (rest) => {
    const end = firstLength(rest.length, (length) => isFoundIn(rest.slice(0, length)));
    const length = firstLength(end, (size) => isFoundIn(rest.slice(end - size, end)));
    return { start: wordStart(rest, end - length), end: wordEnd(rest, end) };
  });
}

/** What separates words where half a word may look like something that the whole one is not. */
const PARTS = /[\s"'`,;()[\]{}<>]+|[^\s"'`,;()[\]{}<>]+/g;

/** The text without those words in which something is found that a part of a word could be mistaken for. */
export function cutFoundWords(text: string, isFoundIn: (part: string) => boolean): string {
  return cutAll(text, isFoundIn, (rest) => {
    const ends = Array.from(rest.matchAll(PARTS), ({ 0: part, index }) => index + part.length);
    const endAt = (count: number) => ends[count - 1] ?? 0;
    const count = firstLength(ends.length, (some) => isFoundIn(rest.slice(0, endAt(some))));
    const size = firstLength(count, (some) => isFoundIn(rest.slice(endAt(count - some), endAt(count))));
    return { start: endAt(count - size), end: endAt(count) };
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function cutAll(text: string, isFoundIn: (part: string) => boolean, find: (rest: string) => Span): string {
  let out = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (!isFoundIn(out)) return out;
    out = cutOnce(out, isFoundIn, find);
  }
  return isFoundIn(out) ? CUT : out;
}

function cutOnce(text: string, isFoundIn: (part: string) => boolean, find: (rest: string) => Span): string {
  let kept = "";
  let rest = text;
  for (let cuts = 0; isFoundIn(rest); cuts += 1) {
    if (cuts === MAX_CUTS) return kept + CUT;
    const { start, end } = find(rest);
    kept += rest.slice(0, start) + CUT;
    rest = rest.slice(end);
  }
  return (kept + rest).toWellFormed();
}

/** The first length for which something is found, where it is found for `max`. */
function firstLength(max: number, isEnough: (length: number) => boolean): number {
  let low = 0;
  let high = Math.min(FIRST_STEP, max);
  while (high < max && !isEnough(high)) {
    low = high;
    high = Math.min(2 * high, max);
  }
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && WORD.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && WORD.test(text.charAt(end))) end += 1;
  return end;
}
