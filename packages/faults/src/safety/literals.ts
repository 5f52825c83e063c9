import { traitsOf } from "./traits.ts";

/** What every match of a pattern must have. */
export interface Requirements {
  /** Strings of at least three characters, in lower case, of which a match has one; undefined when there are none. */
  readonly some: readonly string[] | undefined;
  /** Marks, all of which a match has. */
  readonly traits: number;
  /** How many digits a match has at least. */
  readonly digits: number;
}

interface Known extends Requirements {
  /** All texts that a part of the pattern matches, when they are few. */
  readonly exact?: readonly string[] | undefined;
}

const MIN = 3;
const MANY = 64;
const ANYTHING: Known = { some: undefined, traits: 0, digits: 0 };
const EMPTY: Known = { ...ANYTHING, exact: [""] };
const CAPITAL = traitsOf("A");
const DIGIT_MARK = traitsOf("0");
const RUN = /[\w ]+(?![*+?{])/y;
const DIGIT: Known = { ...ANYTHING, digits: 1 };

/** Reads from a pattern what a text must have to match it, so that most patterns need not be tried. */
export function requirementsOf(pattern: RegExp): Requirements {
  const known = new Parser(pattern).alternation();
  return { some: someOf(known), traits: known.traits, digits: known.digits };
}

/** Splits a pattern into its alternatives, since each has more requirements than all have in common. */
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

function someOf({ exact, some }: Known): readonly string[] | undefined {
  return exact?.every((text) => text.length >= MIN) ? exact : some;
}

/** Reads the subset of pattern syntax that the rules use; what it does not know could be anything. */
class Parser {
  readonly #source: string;
  readonly #mask: number;
  #at = 0;

  constructor(pattern: RegExp) {
    this.#source = pattern.source;
    this.#mask = pattern.ignoreCase ? ~CAPITAL : -1;
  }

  alternation(): Known {
    const branches = [this.#sequence()];
    while (this.#take("|")) branches.push(this.#sequence());
    const traits = branches.reduce((all, branch) => all & branch.traits, -1);
    const digits = branches.reduce((least, branch) => Math.min(least, branch.digits), Number.POSITIVE_INFINITY);
    const exact = branches.flatMap((branch) => branch.exact ?? []);
    if (exact.length <= MANY && branches.every((branch) => branch.exact)) return { ...ANYTHING, exact, traits, digits };
    const some = branches.map(someOf);
    return { some: some.every((each) => each !== undefined) ? some.flat() : undefined, traits, digits };
  }

  #sequence(): Known {
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
      if (joined && joined.length <= MANY) {
        run = joined;
        continue;
      }
      whole = false;
      best = better(better(best, someOf({ ...EMPTY, exact: run })), someOf(part));
      run = part.exact ?? [""];
    }
    if (whole) return { exact: run, some: undefined, traits, digits };
    return { some: better(best, someOf({ ...EMPTY, exact: run })), traits, digits };
  }

  #quantified(): Known {
    const part = this.#atom();
    if (!"*+?{".includes(this.#peek() || ".")) return part;
    const [text, min = "", comma, max] =
      /^(?:[*+?]|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/.exec(this.#source.slice(this.#at, this.#at + 12)) ?? [];
    if (text === undefined) return part;
    this.#at += text.length;
    const sign = text.charAt(0);
    if (sign === "?" || (min === "0" && max === "1")) return optional(part);
    if (sign === "*" || min === "0") return ANYTHING;
    const times = Number(min || 1);
    const fixed = sign === "{" && !comma && part.exact?.length === 1;
    const known: Known = { some: someOf(part), traits: part.traits, digits: part.digits * times };
    return fixed ? { ...known, exact: part.exact?.map((each) => each.repeat(times)) } : known;
  }

  #atom(): Known {
    const char = this.#source.charAt(this.#at++);
    if (char === "(") return this.#group();
    if (char === "[") return this.#class();
    if (char === "\\") return this.#escape();
    if (char === "^" || char === "$") return EMPTY;
    if (char === ".") return ANYTHING;
    return this.#literal(char > "~" ? char : this.#run(char));
  }

  // Plain letters are most of a pattern; the last one before a quantifier stands alone.
  #run(first: string): string {
    RUN.lastIndex = this.#at;
    const [rest = ""] = /[*+?{]/.test(this.#peek()) ? [] : (RUN.exec(this.#source) ?? []);
    this.#at += rest.length;
    return first + rest;
  }

  #group(): Known {
    const ahead = this.#take("?=") || this.#take("?<=");
    const not = this.#take("?!") || this.#take("?<!");
    this.#take("?:");
    const inner = this.alternation();
    this.#at++;
    if (not) return EMPTY;
    // What is looked at may be matched again, so its digits count as one at most.
    return ahead ? { ...EMPTY, traits: inner.traits | (inner.digits > 0 ? DIGIT_MARK : 0) } : inner;
  }

  #class(): Known {
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

  #escape(): Known {
    const char = this.#source.charAt(this.#at++);
    if (char === "b") return EMPTY;
    if (char === "p") this.#at = this.#source.indexOf("}", this.#at) + 1;
    if (char === "u") return { ...ANYTHING, traits: traitsOf(String.fromCharCode(this.#hex())) };
    if (char === "d") return DIGIT;
    return /\w/.test(char) ? ANYTHING : this.#literal(char);
  }

  // Letters beyond ASCII have more case pairs than a table of characters can fold.
  #literal(text: string): Known {
    const digits = text.length - text.replace(/\d/g, "").length;
    const known: Known = { ...ANYTHING, traits: traitsOf(text) & this.#mask & ~DIGIT_MARK, digits };
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

function optional({ exact }: Known): Known {
  return exact && exact.length < MANY ? { ...EMPTY, exact: ["", ...exact] } : ANYTHING;
}

function better(a: readonly string[] | undefined, b: readonly string[] | undefined): readonly string[] | undefined {
  if (!a || !b) return a ?? b;
  return shortest(b) > shortest(a) || (shortest(b) === shortest(a) && b.length < a.length) ? b : a;
}

function shortest(texts: readonly string[]): number {
  return texts.reduce((least, text) => Math.min(least, text.length), Number.POSITIVE_INFINITY);
}
