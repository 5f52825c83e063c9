/** What every match of a pattern contains. */
interface Requirements {
  /** Strings of at least three characters, in lower case. A match contains one of them. Undefined if there are none. */
  readonly some: readonly string[] | undefined;
  /** Traits, all of which a match has. */
  readonly traits: number;
  /** The minimum number of digits. */
  readonly digits: number;
}

interface PartRequirements extends Requirements {
  /** All texts that this part of the pattern matches, if they are few. */
  readonly exact?: readonly string[] | undefined;
}

/** The characters that count as traits. `0` stands for any digit, `A` for any capital, `é` for all beyond ASCII. */
const TRAIT_CHARACTERS = "0Aé@/\\:=.<-_\"'%($[{`&;!]*?#,~+|";

const TRAIT_BITS = new Int32Array(128);
const BEYOND_ASCII = 4;
for (let i = 3; i < TRAIT_CHARACTERS.length; i++) TRAIT_BITS[TRAIT_CHARACTERS.charCodeAt(i)] = 1 << i;
for (let code = 48; code < 58; code++) TRAIT_BITS[code] = 1;
for (let code = 65; code < 91; code++) TRAIT_BITS[code] = 2;

/** The traits of a text: a set of bits, one for each of the characters above that it contains. */
export function traitsOf(text: string): number {
  let traits = 0;
  for (let i = 0; i < text.length; i++) traits |= traitOf(text.charCodeAt(i));
  return traits;
}

function traitOf(code: number): number {
  return code < 128 ? (TRAIT_BITS[code] as number) : BEYOND_ASCII;
}

const MIN_LITERAL_LENGTH = 3;
const MAX_TEXTS = 64;
const ANYTHING: PartRequirements = { some: undefined, traits: 0, digits: 0 };
const EMPTY_TEXT: PartRequirements = { ...ANYTHING, exact: [""] };
const CAPITAL = traitsOf("A");
const DIGIT_TRAIT = traitsOf("0");
const PLAIN_RUN = /[\w ]+(?![*+?{])/y;
const DIGIT: PartRequirements = { ...ANYTHING, digits: 1 };

/** What a text must contain to match a pattern. Most patterns can be ruled out without being tried. */
export function readRequirements(pattern: RegExp): Requirements {
  const known = new PatternParser(pattern).alternation();
  return { some: someOf(known), traits: known.traits, digits: known.digits };
}

/** The alternatives of a pattern. Each has more requirements than all of them have in common. */
export function alternativesOf(pattern: RegExp): readonly RegExp[] {
  const { source, flags } = pattern;
  if (/\\[1-9]/.test(source)) return [pattern];
  const ends = [...barsOf(source), source.length];
  return ends.map((end, i) => new RegExp(source.slice((ends[i - 1] ?? -1) + 1, end), flags));
}

function barsOf(source: string): readonly number[] {
  const bars: number[] = [];
  let depth = 0;
  for (let i = 0, inClass = false; i < source.length; i++) {
    const char = source.charAt(i);
    if (char === "\\") i++;
    else if (inClass || char === "[") inClass = char !== "]";
    else if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "|" && depth === 0) bars.push(i);
  }
  return bars;
}

function someOf({ exact, some }: PartRequirements): readonly string[] | undefined {
  return exact?.every((text) => text.length >= MIN_LITERAL_LENGTH) ? exact : some;
}

/** Parses the pattern syntax that the rules use. A part that it does not know has no requirements. */
class PatternParser {
  readonly #source: string;
  readonly #mask: number;
  #at = 0;

  constructor(pattern: RegExp) {
    this.#source = pattern.source;
    this.#mask = pattern.ignoreCase ? ~CAPITAL : -1;
  }

  alternation(): PartRequirements {
    const branches = [this.#sequence()];
    while (this.#take("|")) branches.push(this.#sequence());
    const traits = branches.reduce((all, branch) => all & branch.traits, -1);
    const digits = branches.reduce((least, branch) => Math.min(least, branch.digits), Number.POSITIVE_INFINITY);
    const exact = branches.flatMap((branch) => branch.exact ?? []);
    if (exact.length <= MAX_TEXTS && branches.every((branch) => branch.exact))
      return { ...ANYTHING, exact, traits, digits };
    const some = branches.map(someOf);
    return { some: some.every((each) => each !== undefined) ? some.flat() : undefined, traits, digits };
  }

  #sequence(): PartRequirements {
    let run: readonly string[] = [""];
    let best: readonly string[] | undefined;
    let traits = 0;
    let digits = 0;
    let whole = true;
    while (!"|)".includes(this.#peek())) {
      const part = this.#quantified();
      traits |= part.traits;
      digits += part.digits;
      const joined = part.exact?.flatMap((tail) => run.map((head) => head + tail));
      if (joined && joined.length <= MAX_TEXTS) {
        run = joined;
        continue;
      }
      whole = false;
      best = moreSelective(moreSelective(best, someOf({ ...EMPTY_TEXT, exact: run })), someOf(part));
      run = part.exact ?? [""];
    }
    if (whole) return { exact: run, some: undefined, traits, digits };
    return { some: moreSelective(best, someOf({ ...EMPTY_TEXT, exact: run })), traits, digits };
  }

  #quantified(): PartRequirements {
    const part = this.#atom();
    if (!"*+?{".includes(this.#peek() || ".")) return part;
    const [text, min = "", comma, max] =
      /^(?:[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/.exec(this.#source.slice(this.#at, this.#at + 12)) ?? [];
    if (text === undefined) return part;
    this.#at += text.length;
    const sign = text.charAt(0);
    if (sign === "?" || (min === "0" && max === "1")) return optionalPart(part);
    if (sign === "*" || min === "0") return ANYTHING;
    const times = Number(min || 1);
    const fixed = sign === "{" && !comma && part.exact?.length === 1;
    const known: PartRequirements = { some: someOf(part), traits: part.traits, digits: part.digits * times };
    return fixed ? { ...known, exact: part.exact?.map((each) => each.repeat(times)) } : known;
  }

  #atom(): PartRequirements {
    const char = this.#source.charAt(this.#at++);
    if (char === "(") return this.#group();
    if (char === "[") return this.#class();
    if (char === "\\") return this.#escape();
    if (char === "^" || char === "$") return EMPTY_TEXT;
    if (char === ".") return ANYTHING;
    return this.#literal(char > "~" ? char : this.#run(char));
  }

  // Plain letters are most of a pattern. The last one before a quantifier is not part of the run.
  #run(first: string): string {
    PLAIN_RUN.lastIndex = this.#at;
    const [rest = ""] = /[*+?{]/.test(this.#peek()) ? [] : (PLAIN_RUN.exec(this.#source) ?? []);
    this.#at += rest.length;
    return first + rest;
  }

  #group(): PartRequirements {
    const ahead = this.#take("?=") || this.#take("?<=");
    const not = this.#take("?!") || this.#take("?<!");
    this.#take("?:");
    const inner = this.alternation();
    this.#at++;
    if (not) return EMPTY_TEXT;
    // A lookahead matches text that is matched again, so its digits cannot be added to the others.
    return ahead ? { ...EMPTY_TEXT, traits: inner.traits | (inner.digits > 0 ? DIGIT_TRAIT : 0) } : inner;
  }

  #class(): PartRequirements {
    const start = this.#at;
    while (this.#peek() !== "]") this.#at += this.#peek() === "\\" ? 2 : 1;
    const body = this.#source.slice(start, this.#at++);
    if (/^(?:\d(?:-\d)?|\\d)+$/.test(body)) return DIGIT;
    if (/^(?:[A-Z](?:-[A-Z])?){5,}$|^[A-Z]-[A-Z]$/.test(body)) return { ...ANYTHING, traits: CAPITAL & this.#mask };
    if (/^(?:[^ -~]|\\u(?!00[0-7])[0-9a-f]{4}-?)+$/.test(body)) return { ...ANYTHING, traits: traitsOf("é") };
    if (!/^-?[\w /"'`!#@:;.,<>=*]{1,8}-?$/.test(body)) return ANYTHING;
    const traits = [...body].reduce((all, char) => all & traitsOf(char), this.#mask);
    return { ...ANYTHING, exact: [...new Set(body.toLowerCase())], traits };
  }

  #escape(): PartRequirements {
    const char = this.#source.charAt(this.#at++);
    if (char === "b") return EMPTY_TEXT;
    if (char === "p") this.#at = this.#source.indexOf("}", this.#at) + 1;
    if (char === "u") return { ...ANYTHING, traits: traitsOf(String.fromCharCode(this.#hex())) };
    if (char === "d") return DIGIT;
    return /\w/.test(char) ? ANYTHING : this.#literal(char);
  }

  // Letters beyond ASCII have case pairs that lower-casing does not cover.
  #literal(text: string): PartRequirements {
    const digits = text.length - text.replace(/\d/g, "").length;
    const known: PartRequirements = { ...ANYTHING, traits: traitsOf(text) & this.#mask & ~DIGIT_TRAIT, digits };
    return text <= "~" ? { ...known, exact: [text.toLowerCase()] } : known;
  }

  #hex(): number {
    this.#at += 4;
    return Number.parseInt(this.#source.slice(this.#at - 4, this.#at), 16);
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  #take(text: string): boolean {
    const found = this.#source.startsWith(text, this.#at);
    if (found) this.#at += text.length;
    return found;
  }
}

function optionalPart({ exact }: PartRequirements): PartRequirements {
  return exact && exact.length < MAX_TEXTS ? { ...EMPTY_TEXT, exact: ["", ...exact] } : ANYTHING;
}

function moreSelective(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!a || !b) return a ?? b;
  return shortest(b) > shortest(a) || (shortest(b) === shortest(a) && b.length < a.length) ? b : a;
}

function shortest(texts: readonly string[]): number {
  return texts.reduce((least, text) => Math.min(least, text.length), Number.POSITIVE_INFINITY);
}

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
      const { some, traits, digits } = readRequirements(pattern);
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
