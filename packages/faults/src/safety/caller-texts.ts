import { spendWork } from "./filter-work.ts";
import { isPlainWord } from "./harmless-rest.ts";
import { FILTER_WINDOW, type TextSpan } from "./line.ts";

/** A call with more texts than this is filtered as if it had sent none: with enough of them a caller could repeat any sentence. */
export const MAX_CALLER_TEXTS = 100;
/** A shorter text is found in too many places by accident. */
const MIN_CALLER_TEXT = 3;
const MAX_ARGUMENT_VALUES = 2000;
const MAX_ARGUMENT_DEPTH = 32;

/**
 * The texts that a caller sent with a call: the strings and numbers in its arguments, and the lines of strings with several.
 * Names of members do not count, since the schema of a tool sets them. Nothing if there are too many.
 */
export function readCallerTexts(sent: unknown): readonly string[] {
  const texts: string[] = [];
  const values: { readonly value: unknown; readonly depth: number }[] = [{ value: sent, depth: 0 }];
  for (let at = 0; at < values.length; at++) {
    if (values.length > MAX_ARGUMENT_VALUES || texts.length > MAX_CALLER_TEXTS) return [];
    const { value, depth } = values[at] as (typeof values)[number];
    if (typeof value === "string") texts.push(...trimmedLines(value));
    else if (typeof value === "number" && Number.isFinite(value)) texts.push(...trimmedLines(String(value)));
    else if (typeof value === "object" && value !== null && depth < MAX_ARGUMENT_DEPTH) {
      // Names are counted first: the values of an object with very many members cost more to list.
      if ((Array.isArray(value) ? value : Object.keys(value)).length > MAX_ARGUMENT_VALUES) return [];
      for (const inner of Object.values(value)) values.push({ value: inner, depth: depth + 1 });
    }
  }
  return texts.length > MAX_CALLER_TEXTS ? [] : texts;
}

function trimmedLines(value: string): string[] {
  // The first lines beyond the limit show that there are too many.
  const lines = value.includes("\n") ? value.split(/\r?\n/, MAX_CALLER_TEXTS + 1) : [];
  return [value, ...lines].map((text) => text.trim()).filter((text) => text.length >= MIN_CALLER_TEXT);
}

/** Texts in which upper and lower case mean the same: e-mail addresses, names of hosts, and hexadecimal ids. */
const CASELESS = /^(?:[^\s@]{1,64}@[^\s@]{1,255}|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}|[0-9a-f]{8}[0-9a-f-]{0,64})$/i;

/** The ways in which a sentence may repeat a text: as it is, inside a JSON string, and in another case if that means the same. */
export function callerTextForms(text: string): readonly string[] {
  if (text.length > FILTER_WINDOW) return [];
  const forms = [text, JSON.stringify(text).slice(1, -1)];
  if (CASELESS.test(text)) forms.push(text.toLowerCase(), text.toUpperCase());
  return [...new Set(forms)];
}

/** How many places of one text are looked at, and how many repetitions of all. An honest sentence has a few. */
const MAX_PLACES = 64;
const MAX_REPETITIONS = 100;
/** What a place costs, in units of the limit of a fault. */
const PLACE_COST = 1;

/** What may stand between the start of a token and a repetition in it, and between the repetition and the end of the token. */
const OPENING_MARKS = /^["'`([{<«“‘„‚「『#]*$/u;
const CLOSING_MARKS = /^["'`)\]}>»”’“」』.,;:!?…]*(?:['’]s)?$/u;
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
const VISIBLE_SPACE = /[^\S\ufeff]/;

/**
 * Where a text repeats one of the given texts, each as a whole: no part of a longer word, path or number counts. Nowhere if
 * there are too many of such places.
 */
export function findRepetitions(text: string, repeated: Iterable<string>): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  for (const one of repeated) {
    if (one.length > text.length) continue;
    let found = 0;
    for (let start = text.indexOf(one); start >= 0 && found < MAX_PLACES; start = text.indexOf(one, start + 1)) {
      found++;
      if (!spendWork(PLACE_COST)) return [];
      const span = { start, end: start + one.length };
      if (isWhole(text, span)) spans.push(span);
    }
  }
  return spans.length > MAX_REPETITIONS ? [] : spans;
}

function isWhole(text: string, { start, end }: TextSpan): boolean {
  return isQuoted(text, start, end) || (startsToken(text, start) && endsToken(text, end));
}

function isQuoted(text: string, start: number, end: number): boolean {
  const quote = QUOTES[text.charAt(start - 1)];
  if (quote === undefined || quote !== text.charAt(end)) return false;
  const before = text.charAt(start - 2);
  const after = text.charAt(end + 1);
  return (before === "" || BEFORE_QUOTE.test(before)) && (after === "" || AFTER_QUOTE.test(after));
}

/** The longest that may stand before a repetition in its token: a name, as in `path=/etc/hosts`, and what stands around it. */
const MAX_BEFORE = 22;

function startsToken(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start <= MAX_BEFORE && !isSpace(text, start - 1)) start--;
  if (at - start > MAX_BEFORE) return false;
  const before = text.slice(start, at);
  if (before.length <= MAX_MARKS && OPENING_MARKS.test(before)) return true;
  // The name has to be an ordinary word.
  const [, name = ""] = /^[([{]?(\p{L}{2,20})=$/u.exec(before) ?? [];
  return isPlainWord(name);
}

function endsToken(text: string, at: number): boolean {
  let end = at;
  while (end < text.length && end - at <= MAX_MARKS && !isSpace(text, end)) end++;
  return end - at <= MAX_MARKS && CLOSING_MARKS.test(text.slice(at, end));
}

function isSpace(text: string, at: number): boolean {
  return VISIBLE_SPACE.test(text.charAt(at));
}

/** The runs of characters without white space in a text. */
export interface Tokens {
  /** Where the run starts that a place of the text lies in. */
  readonly startOf: (at: number) => number;
  /** Where the run ends that a place of the text lies in. */
  readonly endOf: (at: number) => number;
}

/** Finds the runs of characters without white space in a text, all of them at once: many places may lie in one long run. */
export function tokensIn(text: string): Tokens {
  const starts = new Int32Array(text.length + 1);
  const ends = new Int32Array(text.length + 1).fill(text.length);
  for (let at = 1; at <= text.length; at++) starts[at] = isSpace(text, at - 1) ? at : (starts[at - 1] as number);
  for (let at = text.length - 1; at >= 0; at--) ends[at] = isSpace(text, at) ? at : (ends[at + 1] as number);
  return { startOf: (at) => starts[at] as number, endOf: (at) => ends[at] as number };
}
