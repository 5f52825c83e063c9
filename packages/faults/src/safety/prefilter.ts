import { requirementsOf, traitsOf } from "./pattern-requirements.ts";

const HASH_SIZE = 1 << 15;
/** The characters of English prose, the most common first. */
const BY_FREQUENCY = " etaoinsrhldcumfpgwybvkxjqz";

/** A literal that a match of a pattern contains. */
interface LiteralEntry {
  readonly literal: string;
  /** Where the characters end that are looked up. */
  readonly end: number;
  /** The index of the pattern. */
  readonly index: number;
}

/** Finds the patterns that can match a text, by the literals, characters and digits that each of them needs. */
export class Prefilter {
  readonly #traits: Int32Array;
  readonly #digits: Uint8Array;
  readonly #grams = new Map<number, LiteralEntry[]>();
  readonly #marks = new Uint8Array(HASH_SIZE);
  /** Patterns without a literal: only characters and digits can rule them out. */
  readonly #always: number[] = [];

  constructor(patterns: readonly RegExp[]) {
    this.#traits = new Int32Array(patterns.length);
    this.#digits = new Uint8Array(patterns.length);
    patterns.forEach((pattern, index) => {
      const { some, traits, digits } = requirementsOf(pattern);
      this.#traits[index] = traits;
      this.#digits[index] = digits;
      if (some) for (const literal of some) this.#mark(literal, index);
      else this.#always.push(index);
    });
  }

  /** Marks with a 1, by index, the patterns that can match a text. */
  candidates(text: string): Uint8Array {
    const found = new Uint8Array(this.#digits.length);
    const lacking = ~traitsOf(text);
    const digits = countDigits(text);
    const fits = (index: number) =>
      ((this.#traits[index] as number) & lacking) === 0 && (this.#digits[index] as number) <= digits;
    for (const index of this.#always) if (fits(index)) found[index] = 1;
    for (const index of this.#withLiteral(text)) if (fits(index)) found[index] = 1;
    return found;
  }

  /** The patterns of which the text contains a literal. */
  #withLiteral(text: string): readonly number[] {
    const marks = this.#marks;
    const lower = lowerCase(text);
    const found: number[] = [];
    for (let i = 0, gram = 0; i < text.length; i++) {
      gram = ((gram << 7) | foldCode(text.charCodeAt(i))) & 0xfffffff;
      const three = gram & 0x1fffff;
      const four = gram | 0x10000000;
      if (marks[hashGram(three)] === 1) this.#add(three, lower, i + 1, found);
      if (marks[hashGram(four)] === 1) this.#add(four, lower, i + 1, found);
    }
    return found;
  }

  #add(key: number, text: string, end: number, found: number[]): void {
    const entries = this.#grams.get(key);
    if (!entries) return;
    for (const { literal, end: at, index } of entries) if (text.startsWith(literal, end - at)) found.push(index);
  }

  #mark(literal: string, index: number): void {
    const end = rarestEnd(literal);
    const key = gramKey(literal.slice(Math.max(0, end - 4), end));
    this.#marks[hashGram(key)] = 1;
    const entries = this.#grams.get(key);
    const entry = { literal, end, index };
    if (entries) entries.push(entry);
    else this.#grams.set(key, [entry]);
  }
}

/** Where the three or four neighbouring characters end that are least common in prose. */
function rarestEnd(literal: string): number {
  let best = Math.min(literal.length, 4);
  let rarest = Number.NEGATIVE_INFINITY;
  for (let end = best; end <= literal.length; end++) {
    let rarity = 0;
    for (const char of literal.slice(Math.max(0, end - 4), end)) {
      const rank = BY_FREQUENCY.indexOf(char);
      rarity += rank < 0 ? 30 : rank;
    }
    if (rarity > rarest) [best, rarest] = [end, rarity];
  }
  return best;
}

function gramKey(gram: string): number {
  let key = 0;
  for (let i = 0; i < gram.length; i++) key = (key << 7) | foldCode(gram.charCodeAt(i));
  return gram.length === 4 ? key | 0x10000000 : key;
}

function countDigits(text: string): number {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 47 && code < 58) digits++;
  }
  return digits;
}

// A few letters become two when they change case, which would move the letters after them.
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (capital) => capital.toLowerCase());
}

function foldCode(code: number): number {
  if (code > 127) return 127;
  return code > 64 && code < 91 ? code + 32 : code;
}

function hashGram(key: number): number {
  return (Math.imul(key, 0x9e3779b1) >>> 17) & (HASH_SIZE - 1);
}
