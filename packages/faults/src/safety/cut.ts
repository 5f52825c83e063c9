import type { TextSpan } from "./line.ts";
import { isOwnId } from "./own-ids.ts";
import { AUTHORED_RULES } from "./rules/authored.ts";
import type { PatternRule } from "./rules/rule.ts";
import { containsSecret, type SecretFilter } from "./secrets.ts";

/** Stands for what was cut out of a text. It is no value in the eyes of any rule. */
export const REMOVED_MARK = "<removed>";

/** After so many cuts the rest of a text is cut too. */
const MAX_CUTS = 32;
/** How often a result is searched again. */
const MAX_CUT_ROUNDS = 3;
/** How many characters may be searched for each character of a text. If that is not enough, what is left is cut. */
const MAX_SEARCHED_PER_CHARACTER = 24;
/** A short text may be searched as if it were so long. */
const SHORT_TEXT = 64;
/** What a value may go on with: the rest of a word that was found in part. */
const WORD_CHARACTER = /[A-Za-z0-9_-]/;

/**
 * The text without those parts in which a value is found. What is cut is the shortest part in which it is found, with the
 * rest of the word at both ends.
 */
export function cutFound(text: string, isFoundIn: (part: string) => boolean, mark: string = REMOVED_MARK): string {
  return cutAll(text, isFoundIn, mark, (out) => ({
    count: out.length,
    placeOf: (unit) => unit,
    leaf: 32,
    widen: ({ start, end }) => ({ start: wordStart(out, start), end: wordEnd(out, end) }),
  }));
}

/** What separates words if half a word may look like something that the whole one is not. */
const WORD_PARTS = /[\s"'`,;()[\]{}<>]+|[^\s"'`,;()[\]{}<>]+/g;

/** The text without those words in which something is found that a part of a word could be mistaken for. */
export function cutFoundWords(text: string, isFoundIn: (part: string) => boolean): string {
  return cutAll(text, isFoundIn, REMOVED_MARK, (out) => {
    const ends = Array.from(out.matchAll(WORD_PARTS), ({ 0: part, index }) => index + part.length);
    return { count: ends.length, placeOf: (unit) => ends[unit - 1] ?? 0, leaf: 4, widen: (span) => span };
  });
}

/** The units that a text is cut in: its characters, or its words. */
interface Units {
  readonly count: number;
  /** Where a unit starts in the text. */
  readonly placeOf: (unit: number) => number;
  /** So many units are not divided any further. */
  readonly leaf: number;
  /** The part that is cut for what was found. */
  readonly widen: (found: TextSpan) => TextSpan;
}

function cutAll(
  text: string,
  isFoundIn: (part: string) => boolean,
  mark: string,
  unitsOf: (text: string) => Units,
): string {
  let out = text;
  for (let round = 0; round < MAX_CUT_ROUNDS; round += 1) {
    if (!isFoundIn(out)) return out;
    out = new Search(out, isFoundIn, unitsOf(out)).cut(mark);
  }
  return isFoundIn(out) ? mark : out;
}

/**
 * One search through a text. It divides the text in halves and looks closer only where something is found, so that its cost
 * hardly grows faster than the text, however much is found.
 */
class Search {
  readonly #text: string;
  readonly #isFoundIn: (part: string) => boolean;
  readonly #units: Units;
  /** What is cut, in units. */
  readonly #found: TextSpan[] = [];
  #left: number;

  constructor(text: string, isFoundIn: (part: string) => boolean, units: Units) {
    this.#text = text;
    this.#isFoundIn = isFoundIn;
    this.#units = units;
    this.#left = MAX_SEARCHED_PER_CHARACTER * Math.max(text.length, SHORT_TEXT);
  }

  /** The text without what is found in it. */
  cut(mark: string): string {
    this.#search(0, this.#units.count);
    const { placeOf, widen } = this.#units;
    const spans = this.#found.map(({ start, end }) => widen({ start: placeOf(start), end: placeOf(end) }));
    let out = "";
    let done = 0;
    for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
      if (start > done || out === "") out += this.#text.slice(done, start) + mark;
      done = Math.max(done, end);
    }
    return (out + this.#text.slice(done)).toWellFormed();
  }

  /** Searches a part in which something is found. */
  #search(start: number, end: number): void {
    if (this.#found.length >= MAX_CUTS || this.#left <= 0) {
      this.#found.push({ start, end });
      return;
    }
    if (end - start <= this.#units.leaf) {
      this.#cutShortest({ start, end }, { start, end });
      return;
    }
    const middle = (start + end) >>> 1;
    const isInFirst = this.#isIn(start, middle);
    const isInSecond = this.#isIn(middle, end);
    const before = this.#found.length;
    if (isInFirst) this.#search(start, middle);
    if (isInSecond) this.#search(middle, end);
    // What goes across the middle lies between what was found on both sides of it.
    const cut = this.#found.slice(before);
    const within = {
      start: Math.max(start, ...cut.map((span) => span.end).filter((at) => at <= middle)),
      end: Math.min(end, ...cut.map((span) => span.start).filter((at) => at >= middle)),
    };
    if (cut.length === 0 || this.#isIn(within.start, within.end))
      this.#cutShortest(this.#around(middle, within), within);
  }

  /** A part around a place in which something is found, if it is found in `within` and goes across that place. */
  #around(place: number, within: TextSpan): TextSpan {
    for (let size = this.#units.leaf; ; size *= 2) {
      const start = Math.max(within.start, place - size);
      const end = Math.min(within.end, place + size);
      if ((start === within.start && end === within.end) || this.#isIn(start, end)) return { start, end };
    }
  }

  /** Cuts the shortest part of `found` in which something is found, and searches the rest of `within`. */
  #cutShortest(found: TextSpan, within: TextSpan): void {
    const length = firstLength(found.end - found.start, (size) => this.#isIn(found.start, found.start + size));
    const end = found.start + length;
    const start = end - firstLength(length, (size) => this.#isIn(end - size, end));
    this.#found.push({ start, end });
    if (this.#isIn(within.start, start)) this.#search(within.start, start);
    if (this.#isIn(end, within.end)) this.#search(end, within.end);
  }

  #isIn(start: number, end: number): boolean {
    if (end <= start) return false;
    const part = this.#text.slice(this.#units.placeOf(start), this.#units.placeOf(end));
    this.#left -= part.length;
    // A search that may not go on counts as one that has found something, so that it is cut.
    return this.#left <= 0 || this.#isFoundIn(part);
  }
}

/** The first length for which something is found, if it is found for `max`. */
function firstLength(max: number, isEnough: (length: number) => boolean): number {
  let low = 0;
  let high = max;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && WORD_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && WORD_CHARACTER.test(text.charAt(end))) end += 1;
  return end;
}

/** A block of a key: to its end, or as far as its lines go. */
const WHOLE_KEY_BLOCK =
  /-----BEGIN [^-\n]{1,60}-----[\s\S]{1,8192}?-----END [^-\n]{1,60}-----|-----BEGIN [^\n]{0,200}(?:\r?\n[A-Za-z0-9+/=]{16,80}(?=\s|$)|\r?\n[A-Z][A-Za-z-]{2,20}: [^\n]{1,80}|\r?\n(?=\r?\n))*/g;

/** What follows in a value after the part that a rule needs to recognise it. */
const VALUE = /[^\s"'`<>,;)\]}]*/y;
/** Values of these rules end otherwise: a header may list several, and a password ends before the host. */
const VALUES: Readonly<Record<string, RegExp>> = {
  "credential.header": /[^"'`\r\n]*/y,
  "credential.userinfo": /(?:)/y,
};

const AUTHORED_CREDENTIAL_RULES: readonly PatternRule[] = AUTHORED_RULES.filter(({ id }) => !id.startsWith("hostile."));

/**
 * The text without credentials of an unmistakable form: private keys, tokens of providers, JWTs, passwords in addresses,
 * and values that are named as secrets. Names and everything else stay, for operators who have to find a cause.
 */
export function cutCredentials(text: string): string {
  let reading = readQuotes(text.includes("-----BEGIN ") ? text.replace(WHOLE_KEY_BLOCK, REMOVED_MARK) : text);
  for (const rule of AUTHORED_CREDENTIAL_RULES) {
    const spans = credentialSpans(rule, reading.view);
    if (spans.length > 0) reading = readQuotes(cutSpans(reading, spans));
  }
  return reading.text;
}

function cutSpans({ text, placeOf }: QuoteView, spans: readonly TextSpan[]): string {
  let out = "";
  let done = 0;
  for (const { start, end } of spans) {
    out += text.slice(done, placeOf(start)) + REMOVED_MARK;
    done = placeOf(end - 1) + 1;
  }
  return out + text.slice(done);
}

/** The patterns of rules that find all matches, by the id of the rule: to make one costs more than to search with it. */
const globalPatterns = new Map<string, RegExp>();

function globalPattern({ id, find }: PatternRule): RegExp {
  const pattern = globalPatterns.get(id) ?? (find.global ? find : new RegExp(find, `${find.flags}g`));
  globalPatterns.set(id, pattern);
  return pattern;
}

function credentialSpans(rule: PatternRule, text: string): readonly TextSpan[] {
  const { id, confirm } = rule;
  const pattern = globalPattern(rule);
  const spans: TextSpan[] = [];
  let known = 0;
  // `matchAll` would make a copy of the pattern. No rule matches an empty text.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    if (confirm !== undefined && !confirm(match)) continue;
    const span = valueSpan(id, match);
    if (span.start < known || span.end <= span.start || isOwnId(text.slice(span.start, span.end))) continue;
    spans.push(span);
    known = span.end;
  }
  return spans;
}

/** The value in a match: what the rule captures, or all of it, up to its end. */
function valueSpan(id: string, { 0: whole, 1: value = whole, index, input }: RegExpExecArray): TextSpan {
  const start = index + whole.lastIndexOf(value);
  const from = start + value.length;
  const more = VALUES[id] ?? VALUE;
  more.lastIndex = from;
  return { start, end: from + (more.exec(input)?.[0].length ?? 0) };
}

/** A text, and how it reads without the backslashes of JSON inside JSON. */
interface QuoteView {
  readonly text: string;
  readonly view: string;
  /** Where a character of the view stands in the text. */
  readonly placeOf: (index: number) => number;
}

function readQuotes(text: string): QuoteView {
  if (!text.includes('\\"')) return { text, view: text, placeOf: (index) => index };
  const gaps: { readonly index: number; readonly total: number }[] = [];
  let total = 0;
  const view = text.replace(/\\{1,7}(?=")/g, (slashes, place: number) => {
    gaps.push({ index: place - total, total: total + slashes.length });
    total += slashes.length;
    return "";
  });
  return { text, view, placeOf: (index) => index + (gaps.findLast((gap) => gap.index <= index)?.total ?? 0) };
}

/** The most that is shown of a text. */
const MAX_CLEAN_TEXT = 16_384;
/** The most that is searched: a secret at the end of what is shown must be whole to be found. */
const MAX_CLEAN_SEARCH = MAX_CLEAN_TEXT + 4_096;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they could move the cursor of the operator's terminal.
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** How a text is cleaned. */
export interface CleanLogTextOptions {
  /** The secrets of the request. Those of the process are always looked for. @default none */
  readonly secrets?: SecretFilter | undefined;
  /** Finds what is to be cut out besides. @default nothing */
  readonly isHidden?: ((part: string) => boolean) | undefined;
  /** The most characters that are shown. @default 16_384 */
  readonly max?: number | undefined;
}

/**
 * A text that an operator may read: registered secrets, those of the request, and credentials of an unmistakable form are
 * cut out of it, and nothing else. Lines stay lines; other control characters become spaces.
 */
export function cleanLogText(
  text: string,
  { secrets, isHidden, max = MAX_CLEAN_TEXT }: CleanLogTextOptions = {},
): string {
  const isSecret = (part: string) => containsSecret(part, secrets);
  const known = cutFound(text.slice(0, MAX_CLEAN_SEARCH), isSecret);
  const line = known.replaceAll(CONTROL_CHARACTERS, " ");
  // Without its control characters, a text may contain a secret that it did not contain before.
  const plain = cutCredentials(line === known ? known : cutFound(line, isSecret));
  const clean = isHidden === undefined ? plain : cutFoundWords(plain, isHidden);
  const whole = text.length > MAX_CLEAN_SEARCH ? clean.slice(0, MAX_CLEAN_TEXT - MAX_CLEAN_SEARCH) : clean;
  return whole.slice(0, max);
}
