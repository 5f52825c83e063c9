/** What every match of a pattern contains. */
export interface Requirements {
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
const EMPTY: PartRequirements = { ...ANYTHING, exact: [""] };
const CAPITAL = traitsOf("A");
const DIGIT_TRAIT = traitsOf("0");
const PLAIN_RUN = /[\w ]+(?![*+?{])/y;
const DIGIT: PartRequirements = { ...ANYTHING, digits: 1 };

/** What a text must contain to match a pattern. Most patterns can be ruled out without being tried. */
export function requirementsOf(pattern: RegExp): Requirements {
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
      best = moreSelective(moreSelective(best, someOf({ ...EMPTY, exact: run })), someOf(part));
      run = part.exact ?? [""];
    }
    if (whole) return { exact: run, some: undefined, traits, digits };
    return { some: moreSelective(best, someOf({ ...EMPTY, exact: run })), traits, digits };
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
    if (char === "^" || char === "$") return EMPTY;
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
    if (not) return EMPTY;
    // A lookahead matches text that is matched again, so its digits cannot be added to the others.
    return ahead ? { ...EMPTY, traits: inner.traits | (inner.digits > 0 ? DIGIT_TRAIT : 0) } : inner;
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
    if (char === "b") return EMPTY;
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
  return exact && exact.length < MAX_TEXTS ? { ...EMPTY, exact: ["", ...exact] } : ANYTHING;
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
