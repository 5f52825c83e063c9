/** Stands for what was cut out of a text. It is no value in the eyes of any rule. */
export const CUT = "<removed>";

/** After so many cuts the rest of a text is cut too. */
const MAX_CUTS = 32;
/** How often a result is searched again. */
const MAX_ROUNDS = 3;
/** How many characters may be searched for each character of a text. Where that is not enough, what is left is cut. */
const MAX_SEARCHED = 24;
/** A short text may be searched as if it were so long. */
const SHORT_TEXT = 64;
/** What a value may go on with: the rest of a word that was found in part. */
const WORD = /[A-Za-z0-9_-]/;

/**
 * The text without those parts in which a value is found. What is cut is the shortest part in which it is found, with the
 * rest of the word at both ends.
 */
export function cutFound(text: string, isFoundIn: (part: string) => boolean): string {
  return cutAll(text, isFoundIn, (out) => ({
    count: out.length,
    placeOf: (unit) => unit,
    leaf: 32,
    widen: ({ start, end }) => ({ start: wordStart(out, start), end: wordEnd(out, end) }),
  }));
}

/** What separates words where half a word may look like something that the whole one is not. */
const PARTS = /[\s"'`,;()[\]{}<>]+|[^\s"'`,;()[\]{}<>]+/g;

/** The text without those words in which something is found that a part of a word could be mistaken for. */
export function cutFoundWords(text: string, isFoundIn: (part: string) => boolean): string {
  return cutAll(text, isFoundIn, (out) => {
    const ends = Array.from(out.matchAll(PARTS), ({ 0: part, index }) => index + part.length);
    return { count: ends.length, placeOf: (unit) => ends[unit - 1] ?? 0, leaf: 4, widen: (span) => span };
  });
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The units that a text is cut in: its characters, or its words. */
interface Units {
  readonly count: number;
  /** Where a unit starts in the text. */
  readonly placeOf: (unit: number) => number;
  /** So many units are not divided any further. */
  readonly leaf: number;
  /** The part that is cut for what was found. */
  readonly widen: (found: Span) => Span;
}

function cutAll(text: string, isFoundIn: (part: string) => boolean, unitsOf: (text: string) => Units): string {
  let out = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (!isFoundIn(out)) return out;
    out = new Search(out, isFoundIn, unitsOf(out)).cut();
  }
  return isFoundIn(out) ? CUT : out;
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
  readonly #found: Span[] = [];
  #left: number;

  constructor(text: string, isFoundIn: (part: string) => boolean, units: Units) {
    this.#text = text;
    this.#isFoundIn = isFoundIn;
    this.#units = units;
    this.#left = MAX_SEARCHED * Math.max(text.length, SHORT_TEXT);
  }

  /** The text without what is found in it. */
  cut(): string {
    this.#search(0, this.#units.count);
    const { placeOf, widen } = this.#units;
    const spans = this.#found.map(({ start, end }) => widen({ start: placeOf(start), end: placeOf(end) }));
    let out = "";
    let done = 0;
    for (const { start, end } of spans.sort((a, b) => a.start - b.start)) {
      if (start > done || out === "") out += this.#text.slice(done, start) + CUT;
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

  /** A part around a place in which something is found, where it is found in `within` and goes across that place. */
  #around(place: number, within: Span): Span {
    for (let size = this.#units.leaf; ; size *= 2) {
      const start = Math.max(within.start, place - size);
      const end = Math.min(within.end, place + size);
      if ((start === within.start && end === within.end) || this.#isIn(start, end)) return { start, end };
    }
  }

  /** Cuts the shortest part of `found` in which something is found, and searches the rest of `within`. */
  #cutShortest(found: Span, within: Span): void {
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

/** The first length for which something is found, where it is found for `max`. */
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
  while (start > 0 && WORD.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && WORD.test(text.charAt(end))) end += 1;
  return end;
}
