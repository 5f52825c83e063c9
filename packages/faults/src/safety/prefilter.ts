import { requirementsOf } from "./literals.ts";
import { traitsOf } from "./traits.ts";

const BITS = 1 << 15;
const COMMON = " etaoinsrhldcumfpgwybvkxjqz";

/** A literal that a pattern needs, and where in it the characters end that are looked up. */
interface Entry {
  readonly literal: string;
  readonly end: number;
  readonly index: number;
}

/** Picks the patterns that can match a text, by what each of them cannot do without. */
export class Prefilter {
  readonly #traits: Int32Array;
  readonly #digits: Uint8Array;
  readonly #grams = new Map<number, Entry[]>();
  readonly #marks = new Uint8Array(BITS);
  /** Which patterns have no literal and are ruled out by traits only. */
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

  /** Tells by index, with a 1, which patterns are worth trying on a text. */
  candidates(text: string): Uint8Array {
    const found = new Uint8Array(this.#digits.length);
    const lacking = ~traitsOf(text);
    const digits = countDigits(text);
    const fits = (index: number) =>
      ((this.#traits[index] as number) & lacking) === 0 && (this.#digits[index] as number) <= digits;
    for (const index of this.#always) if (fits(index)) found[index] = 1;
    for (const index of this.#named(text)) if (fits(index)) found[index] = 1;
    return found;
  }

  /** Lists the patterns of which the text has a literal. */
  #named(text: string): readonly number[] {
    const marks = this.#marks;
    const lower = lowerCase(text);
    const found: number[] = [];
    for (let i = 0, gram = 0; i < text.length; i++) {
      gram = ((gram << 7) | fold(text.charCodeAt(i))) & 0xfffffff;
      const three = gram & 0x1fffff;
      const four = gram | 0x10000000;
      if (marks[hash(three)] === 1) this.#add(three, lower, i + 1, found);
      if (marks[hash(four)] === 1) this.#add(four, lower, i + 1, found);
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
    const key = keyOf(literal.slice(Math.max(0, end - 4), end));
    this.#marks[hash(key)] = 1;
    const entries = this.#grams.get(key);
    const entry = { literal, end, index };
    if (entries) entries.push(entry);
    else this.#grams.set(key, [entry]);
  }
}

/** Finds where the three or four neighbouring characters end that are least common in prose. */
function rarestEnd(literal: string): number {
  let best = Math.min(literal.length, 4);
  let rarest = Number.NEGATIVE_INFINITY;
  for (let end = best; end <= literal.length; end++) {
    let rarity = 0;
    for (const char of literal.slice(Math.max(0, end - 4), end)) {
      const rank = COMMON.indexOf(char);
      rarity += rank < 0 ? 30 : rank;
    }
    if (rarity > rarest) [best, rarest] = [end, rarity];
  }
  return best;
}

function keyOf(gram: string): number {
  let key = 0;
  for (let i = 0; i < gram.length; i++) key = (key << 7) | fold(gram.charCodeAt(i));
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

// A few letters grow when they change case, and would move what follows them.
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (capital) => capital.toLowerCase());
}

function fold(code: number): number {
  if (code > 127) return 127;
  return code > 64 && code < 91 ? code + 32 : code;
}

function hash(key: number): number {
  return (Math.imul(key, 0x9e3779b1) >>> 17) & (BITS - 1);
}
