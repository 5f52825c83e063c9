// Where the matches of a rule stand in a text, and how far each of them is cut.

import type { CutRule, TextSpan } from "./rules/rule.ts";

/** Stands in a text for what was cut out of it. No rule takes it for a value. */
export const CUT_MARK = "[removed]";

export interface FoundSpan extends TextSpan {
  readonly rule: string;
}

export interface FoundMatch {
  readonly rule: CutRule;
  readonly span: TextSpan;
  readonly match: RegExpExecArray;
}

/** The parts of a text that are cut for a rule, without those that are excused. */
export function findMatches(
  rule: CutRule,
  text: string,
  isExcused: (found: FoundMatch) => boolean = () => false,
): FoundSpan[] {
  const spans: FoundSpan[] = [];
  let from = 0;
  let done = 0;
  for (let match = rule.next(text, from); match !== null; match = rule.next(text, from)) {
    const value = rule.valueIn(match);
    // What stands behind a value may be what has to stand before the next one.
    from = value.end;
    // What lies within the last cut adds nothing, and widening each of many would take time by the square of their number.
    if (from <= done || !rule.confirms(match)) continue;
    const span = widen(rule, match, value);
    if (span.end <= span.start || isMark(text.slice(span.start, span.end))) continue;
    if (rule.isExcusable && isExcused({ rule, span, match })) continue;
    spans.push({ ...span, rule: rule.id });
    done = span.end;
  }
  return spans;
}

function isMark(part: string): boolean {
  return part.replaceAll(CUT_MARK, "").replaceAll(/["'`()[\],;:=.\s]/g, "") === "" || CUT_MARK.includes(part);
}

export const DELIMITERS = /[\s"'`()[\]{}<>,;“”«»]/;
const CLOSING_QUOTES = { '"': '"', "'": "'", "`": "`", "“": "”", "«": "»" } as const;
/** The longest name of a parameter in a query, and the longest words of a name. */
const EDGE_WINDOW = 128;

function widen(rule: CutRule, match: RegExpExecArray, value: TextSpan): TextSpan {
  const { input: text } = match;
  const { start, end } = value;
  switch (rule.to) {
    case "match":
      return trimmed(text, value);
    case "token":
      return trimmed(text, { start: tokenStart(text, start), end: tokenEnd(text, end, rule) });
    case "value":
      return quotedEnd(text, value) ?? trimmed(text, { start, end: tokenEnd(text, end, rule) });
    case "header":
      return quotedEnd(text, value) ?? { start, end: lineEnd(text, end) };
    case "statement":
      return trimmed(text, { start, end: statementEnd(text, value) });
    case "block":
      return { start, end: blockEnd(text, start, rule) };
    case "number":
      return numberIn(text, value);
    case "name":
      return { start, end: end + lengthAt(rule, "{{nameWords}}", text.slice(end, end + EDGE_WINDOW)) };
    default:
      return rule.to satisfies never;
  }
}

/** How much a pattern matches at the start of a text. */
function lengthAt(rule: CutRule, source: string, text: string): number {
  return rule.book.pattern(source).exec(text)?.[0].length ?? 0;
}

/** The words with digits in a match, without the words that name them. */
function numberIn(text: string, { start, end }: TextSpan): TextSpan {
  const words = [...text.slice(start, end).matchAll(/[^\s:=#"'`,;]+/g)].filter(([word]) => /[\d*]/.test(word));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return { start, end };
  return trimmed(text, { start: start + first.index, end: start + last.index + last[0].length });
}

function tokenStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && !/[=&]/.test(text.charAt(start - 1)) && !DELIMITERS.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function tokenEnd(text: string, from: number, rule: CutRule): number {
  let end = from;
  while (end < text.length && !DELIMITERS.test(text.charAt(end)) && !startsParameter(text, end, rule)) end += 1;
  return end;
}

/** The end of a value in a query; any other `&` may be part of a password. */
function startsParameter(text: string, at: number, rule: CutRule): boolean {
  return text.charAt(at) === "&" && lengthAt(rule, "{{nextParameter}}", text.slice(at, at + EDGE_WINDOW)) > 0;
}

/** The value to its closing quotation mark, if one stands before it on this line. */
function quotedEnd(text: string, { start, end }: TextSpan): TextSpan | undefined {
  const closing = CLOSING_QUOTES[text.charAt(start - 1) as keyof typeof CLOSING_QUOTES];
  if (closing === undefined) return undefined;
  const close = text.indexOf(closing, end);
  const line = lineEnd(text, end);
  return { start, end: close === -1 || close > line ? line : close };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

/** A statement in quotation marks ends with them, any other with its line. */
function statementEnd(text: string, { start, end }: TextSpan): number {
  const line = lineEnd(text, end);
  const closing = CLOSING_QUOTES[text.charAt(start - 1) as keyof typeof CLOSING_QUOTES];
  const marks = [";", ...(closing === undefined ? [] : [closing])].map((mark) => text.indexOf(mark, end));
  return Math.min(line, ...marks.filter((at) => at !== -1));
}

/** The end of a key; of one without an end, the end of the lines that look like one. */
function blockEnd(text: string, start: number, rule: CutRule): number {
  const rest = text.slice(start);
  const end = rule.book.pattern("{{keyEnd}}").exec(rest);
  if (end !== null) return start + end.index + end[0].length;
  const length = lengthAt(rule, "{{keyLines}}", rest);
  return length === 0 ? tokenEnd(text, start, rule) : start + length;
}

/** A full stop or a colon after a cut belongs to the sentence. */
function trimmed(text: string, { start, end }: TextSpan): TextSpan {
  let last = end;
  while (last > start && /[.:\s]/.test(text.charAt(last - 1))) last -= 1;
  return { start, end: last };
}
