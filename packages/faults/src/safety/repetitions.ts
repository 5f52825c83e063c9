import { isPlainWord } from "./plain-words.ts";

/** A part of a text, from its first UTF-16 unit to the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** How many places of one text are looked at, and how many repetitions of all. An honest sentence has a few. */
const MAX_PLACES = 64;
const MAX_REPETITIONS = 100;

/** What may stand between the start of a token and a repetition in it, and between the repetition and the end of the token. */
const OPENING = /^["'`([{<«“‘„‚「『#]*$/u;
const CLOSING = /^["'`)\]}>»”’“」』.,;:!?…]*(?:['’]s)?$/u;
const MAX_MARKS = 6;

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "«": "»",
  "“": "”",
  "‘": "’",
  "„": "“",
};
const BEFORE_QUOTE = /[\s=:([{,]/;
const AFTER_QUOTE = /[\s)\]},.;:!?]/;

// The mark U+FEFF counts as white space in JavaScript, but it is removed before a text is shown, which joins what it separates.
const SPACE = /[^\S\ufeff]/;

/**
 * Where a text repeats one of the given texts, each as a whole: no part of a longer word, path or number counts. Nowhere if
 * there are too many of such places.
 */
export function findRepetitions(text: string, repeated: Iterable<string>): readonly Span[] {
  const spans: Span[] = [];
  for (const one of repeated) {
    let found = 0;
    for (let start = text.indexOf(one); start >= 0 && found < MAX_PLACES; start = text.indexOf(one, start + 1)) {
      found++;
      const span = { start, end: start + one.length };
      if (isWhole(text, span)) spans.push(span);
    }
  }
  return spans.length > MAX_REPETITIONS ? [] : spans;
}

function isWhole(text: string, { start, end }: Span): boolean {
  return isQuoted(text, start, end) || (startsToken(text, start) && endsToken(text, end));
}

function isQuoted(text: string, start: number, end: number): boolean {
  const quote = QUOTES[text.charAt(start - 1)];
  if (quote === undefined || quote !== text.charAt(end)) return false;
  const before = text.charAt(start - 2);
  const after = text.charAt(end + 1);
  return (before === "" || BEFORE_QUOTE.test(before)) && (after === "" || AFTER_QUOTE.test(after));
}

function startsToken(text: string, at: number): boolean {
  const before = text.slice(tokenStart(text, at), at);
  if (before.length <= MAX_MARKS && OPENING.test(before)) return true;
  // As in `path=/etc/hosts`, where the name is an ordinary word.
  const [, name = ""] = /^[([{]?(\p{L}{2,20})=$/u.exec(before) ?? [];
  return isPlainWord(name);
}

function endsToken(text: string, at: number): boolean {
  const after = text.slice(at, tokenEnd(text, at));
  return after.length <= MAX_MARKS && CLOSING.test(after);
}

/** Where the run of characters without white space starts that a place of a text lies in. */
export function tokenStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !SPACE.test(text.charAt(start - 1))) start--;
  return start;
}

/** Where the run of characters without white space ends that a place of a text lies in. */
export function tokenEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !SPACE.test(text.charAt(end))) end++;
  return end;
}
