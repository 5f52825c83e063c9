// Rules are data: patterns that JavaScript, Python and RE2 read alike, and conditions about what they find. This file gives
// them a type and applies them.

import basic from "./basic.json" with { type: "json" };
import type { CheckName } from "./checks.ts";

/** The groups of rules. You can allow a group that is the subject of your server. */
export const RULE_GROUPS = [
  "credential",
  "database",
  "hostile",
  "host",
  "path",
  "personal",
  "provider",
  "url",
] as const;
/** One group of rules. */
export type RuleGroup = (typeof RULE_GROUPS)[number];

/**
 * How far a cut goes.
 * - `match`: what the pattern, or its group, finds.
 * - `token`: to both ends of the run without white space, quotes, brackets, commas, `&` and `;`.
 * - `value`: to the closing quotation mark, else to the end of the token.
 * - `header`: to the closing quotation mark, else to the end of the line.
 * - `statement`: to the next `;`, quotation mark of the whole, or the end of the line.
 * - `block`: to the end of a key block, else to the end of its lines.
 * - `number`: the words with digits in the match.
 * - `name`: the match, and the capitalised words after it.
 */
type CutExtent = "match" | "token" | "value" | "header" | "statement" | "block" | "number" | "name";

/** The kinds of values that rules name. */
export type KindName = "placeholder" | "prose" | "secret" | "assigned" | "told";

/** What must hold of one part of a match: a pattern is found in it, or it is of a kind or passes a check. */
export interface RuleTest {
  /** A group, or what stands in the line before or behind what is cut. @default 0, the whole match */
  readonly of?: number | "before" | "after";
  /** Whether punctuation at its end does not count. */
  readonly trim?: boolean;
  readonly has?: string;
  readonly flags?: string;
  readonly is?: KindName | CheckName;
  /** The shortest part that is of the kind, in characters. */
  readonly min?: number;
}

interface RuleConditions {
  /** Of one of these lists, every test must hold. @default none is needed */
  readonly if?: readonly (readonly RuleTest[])[];
  /** Of none of these lists may every test hold. @default none */
  readonly unless?: readonly (readonly RuleTest[])[];
}

/** A rule as it stands in the data. */
export interface RuleText extends RuleConditions {
  /** The group of the rule and its name. Rules with the same id are alternatives. */
  readonly id: string;
  readonly to: CutExtent;
  /** The groups of the pattern that hold what is cut; the first that has matched. @default the whole match */
  readonly cut?: readonly number[];
  /** A shape without a label: an argument of the call may look like this, and repeating it tells its caller nothing. */
  readonly isShape?: boolean;
  readonly pattern: string;
  readonly flags?: string;
}

/** When a value is of a kind. */
export interface ValueKind extends RuleConditions {
  readonly trim?: boolean;
  readonly min?: number;
}

/** A part of a text, from its first UTF-16 unit to the one after its last. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** What a pattern can do. That of another engine serves as well. */
export type Pattern = Pick<RegExp, "exec" | "test" | "lastIndex">;

/** Makes a pattern. Flags are those of JavaScript. */
type Compile = (source: string, flags: string) => Pattern;

/** How much of a line is looked at before and behind what is cut. No pattern needs more. */
const LINE_WINDOW = 512;
const PUNCTUATION_AT_END = /[.,;:!?)\]}"'`]{1,4}$/;
const NEVER_EXCUSED: readonly string[] = ["credential", "hostile"];

/** What rules need besides their own text. */
export interface BookParts {
  /** Parts of patterns that several rules share, by the name that stands for them in braces. */
  readonly words: Readonly<Record<string, string>>;
  readonly kinds: Readonly<Partial<Record<KindName, ValueKind>>>;
  readonly checks?: Readonly<Record<CheckName, (part: string) => boolean>>;
  /** @default the engine that runs this program */
  readonly compile?: Compile;
}

/** Rules and kinds, with the patterns of one engine. Each pattern is made when it is first needed. */
export class RuleBook {
  readonly #parts: BookParts;
  readonly #patterns: Record<string, Map<string, Pattern>> = {};

  constructor(parts: BookParts) {
    this.#parts = parts;
  }

  rules(texts: readonly RuleText[]): readonly CutRule[] {
    return texts.map((text) => new CutRule(text, this));
  }

  pattern(source: string, flags = "u"): Pattern {
    this.#patterns[flags] ??= new Map();
    const known = this.#patterns[flags].get(source);
    if (known !== undefined) return known;
    const { compile = (whole, its) => new RegExp(whole, its) } = this.#parts;
    const made = compile(this.expand(source), flags);
    this.#patterns[flags].set(source, made);
    return made;
  }

  /** A pattern with the words that it names. */
  expand(source: string): string {
    return source.replace(/\{\{(\w+)\}\}/g, (_, name: string) => this.expand(this.#parts.words[name] ?? ""));
  }

  /** Whether a value is of a kind. */
  isKind(name: KindName, value: string, min?: number): boolean {
    const kind = this.#parts.kinds[name] ?? {};
    const part = kind.trim === true ? value.replace(PUNCTUATION_AT_END, "") : value;
    const least = min ?? kind.min ?? 0;
    return (part.length >= 2 * least || [...part].length >= least) && this.hold(kind, () => part);
  }

  hold({ if: some, unless = [] }: RuleConditions, partOf: (of: RuleTest["of"]) => string): boolean {
    const holds = (tests: readonly RuleTest[]) => tests.every((test) => this.#passes(test, partOf(test.of)));
    return (some === undefined || some.some(holds)) && !unless.some(holds);
  }

  #passes({ trim, has, flags = "", is, min }: RuleTest, given: string): boolean {
    const part = trim === true ? given.replace(PUNCTUATION_AT_END, "") : given;
    if (has !== undefined) return this.pattern(has, flags === "" ? "u" : `u${flags}`).test(part);
    if (is === undefined) return true;
    const check = this.#parts.checks?.[is as CheckName];
    return check === undefined ? this.isKind(is as KindName, part, min) : check(part);
  }
}

/** A rule as the cutter applies it. */
export class CutRule {
  readonly id: string;
  readonly to: CutExtent;
  /** The group, which an option of the author can allow. */
  readonly group: RuleGroup;
  readonly isShape: boolean;
  /** Whether a text that the caller sent is excused: what it knows may be repeated. */
  readonly isExcusable: boolean;
  /** The book that it stands in. */
  readonly book: RuleBook;
  readonly #text: RuleText;
  #find: Pattern | undefined;

  constructor(text: RuleText, book: RuleBook) {
    this.id = text.id;
    this.to = text.to;
    this.group = text.id.slice(0, text.id.indexOf(".")) as RuleGroup;
    this.isShape = text.isShape === true;
    this.isExcusable = this.isShape || !NEVER_EXCUSED.includes(this.group);
    this.#text = text;
    this.book = book;
  }

  /** The next match from a place on. */
  next(text: string, from: number): RegExpExecArray | null {
    this.#find ??= this.book.pattern(this.#text.pattern, `dgu${this.#text.flags ?? ""}`);
    this.#find.lastIndex = from;
    return this.#find.exec(text);
  }

  /** Where what is cut stands, before it is widened. */
  valueIn({ indices, index, 0: whole }: RegExpExecArray): TextSpan {
    for (const group of this.#text.cut ?? []) {
      const place = indices?.[group];
      if (place !== undefined && place[1] > place[0]) return { start: place[0], end: place[1] };
    }
    return { start: index, end: index + whole.length };
  }

  /** Whether the conditions hold of a match. */
  confirms(match: RegExpExecArray): boolean {
    const { if: some, unless } = this.#text;
    if (some === undefined && unless === undefined) return true;
    const value = this.valueIn(match);
    return this.book.hold(this.#text, (of = 0) => {
      if (of === "before") return lineBefore(match.input, value.start);
      return of === "after" ? lineAfter(match.input, value.end) : (match[of] ?? "");
    });
  }
}

function lineBefore(text: string, at: number): string {
  const part = text.slice(Math.max(0, at - LINE_WINDOW), at);
  return part.slice(part.lastIndexOf("\n") + 1);
}

function lineAfter(text: string, at: number): string {
  const part = text.slice(at, at + LINE_WINDOW);
  const end = part.indexOf("\n");
  return end === -1 ? part : part.slice(0, end);
}

/** What the rules of unmistakable forms need. */
export const BASIC_BOOK: RuleBook = /* @__PURE__ */ new RuleBook(basic);

/** Tells whether a value is a placeholder, as in documentation: `<token>`, `FOO_API_KEY`, `your-key`, `...`. */
export function isPlaceholder(value: string): boolean {
  return BASIC_BOOK.isKind("placeholder", value);
}

/**
 * A pattern that is made when it is first needed. The engine reads each literal twice before any of its code runs, and
 * classes of characters such as `\p{L}` take it long.
 */
export function latePattern(source: string, flags?: string): () => RegExp {
  let pattern: RegExp | undefined;
  return () => {
    pattern ??= new RegExp(source, flags);
    return pattern;
  };
}
