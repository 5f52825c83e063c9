// Where the matches of a rule stand in a text, and how far each of them is cut.

import type { TextSpan } from "./line.ts";
import type { CutRule } from "./rules/rule.ts";

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
  const { find, confirm, id } = rule;
  const spans: FoundSpan[] = [];
  let done = 0;
  // `matchAll` would make a copy of the pattern.
  find.lastIndex = 0;
  for (let match = find.exec(text); match !== null; match = find.exec(text)) {
    if (match[0] === "") find.lastIndex += 1;
    // A match within the last cut adds nothing, and widening each of many would take time by the square of their number.
    if (match.index + match[0].length <= done) continue;
    if (confirm !== undefined && !confirm(match)) continue;
    const span = widen(rule, match);
    const part = text.slice(span.start, span.end);
    if (span.end <= span.start || isMark(part)) continue;
    if (rule.isExcusable && isExcused({ rule, span, match })) continue;
    spans.push({ ...span, rule: id });
    done = span.end;
  }
  return spans;
}

function isMark(part: string): boolean {
  return part.replaceAll(CUT_MARK, "").replaceAll(/["'`()[\],;:=.\s]/g, "") === "" || CUT_MARK.includes(part);
}

/** Where the value of a match stands. */
function valueIn({ cut: { to, groups = [] } }: CutRule, match: RegExpExecArray): TextSpan {
  const { 0: whole, index } = match;
  const value = groups.map((group) => match[group]).find((found) => found !== undefined && found !== "");
  if (value === undefined) return { start: index, end: index + whole.length };
  const at = to === "value" || to === "header" ? whole.lastIndexOf(value) : whole.indexOf(value);
  return { start: index + at, end: index + at + value.length };
}

export const DELIMITERS = /[\s"'`()[\]{}<>,;“”«»]/;
/** The end of a value in a query; any other `&` may be part of a password. */
const NEXT_PARAMETER = /&(?:amp;)?[\w.%-]{1,40}=|&$|&\s/y;
const CLOSING_QUOTES = { '"': '"', "'": "'", "`": "`", "“": "”", "«": "»" } as const;

function widen(rule: CutRule, match: RegExpExecArray): TextSpan {
  const { input: text } = match;
  const value = valueIn(rule, match);
  const { to } = rule.cut;
  switch (to) {
    case "match":
      return trimmed(text, value);
    case "token":
      return trimmed(text, { start: tokenStart(text, value.start), end: tokenEnd(text, value.end) });
    case "value":
      return quotedEnd(text, value) ?? trimmed(text, { start: value.start, end: tokenEnd(text, value.end) });
    case "header":
      return quotedEnd(text, value) ?? { start: value.start, end: lineEnd(text, value.end) };
    case "statement":
      return trimmed(text, { start: value.start, end: statementEnd(text, value) });
    case "block":
      return { start: value.start, end: blockEnd(text, value.start) };
    case "number":
      return numberIn(text, value);
    case "name":
      return {
        start: value.start,
        end: value.end + (NAME_WORDS.exec(text.slice(value.end, value.end + 64))?.[0].length ?? 0),
      };
    default:
      return to satisfies never;
  }
}

/** The words with digits in a match, without the words that name them. */
function numberIn(text: string, { start, end }: TextSpan): TextSpan {
  const words = [...text.slice(start, end).matchAll(/[^\s:=#"'`,;]+/g)].filter(([word]) => /[\d*]/.test(word));
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined) return { start, end };
  return trimmed(text, { start: start + first.index, end: start + last.index + last[0].length });
}

const NAME_WORDS = /^[\p{L}\p{M}.'’-]{0,30}(?:\s?\p{Lu}[\p{L}\p{M}.'’-]{0,30}){0,3}/u;

function tokenStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && !/[=&]/.test(text.charAt(start - 1)) && !DELIMITERS.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function tokenEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && !DELIMITERS.test(text.charAt(end)) && !startsParameter(text, end)) end += 1;
  return end;
}

function startsParameter(text: string, at: number): boolean {
  NEXT_PARAMETER.lastIndex = at;
  return text.charAt(at) === "&" && NEXT_PARAMETER.test(text);
}

/** The value to its closing quotation mark, if one stands before it on this line. */
function quotedEnd(text: string, { start, end }: TextSpan): TextSpan | undefined {
  const closing = CLOSING_QUOTES[text.charAt(start - 1) as keyof typeof CLOSING_QUOTES];
  if (closing === undefined) return undefined;
  const close = text.indexOf(closing, end);
  const line = lineEnd(text, end);
  return close === -1 || close > line ? { start, end: line } : { start, end: close };
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

const BLOCK_END = /-----END [^\n-]{0,60}-----/g;
/** The lines of a key without an end: base64, headers, and a last line that may be short. */
const KEY_LINES =
  /-----BEGIN [^\n]{0,200}(?:(?:\r?\n[A-Z][A-Za-z-]{2,20}: [^\n]{1,80}|\r?\n(?=\r?\n)){0,9}(?:\r?\n[A-Za-z0-9+/=]{16,80}(?=\s|$)){1,999}(?:\r?\n[A-Za-z0-9+/=]{1,80}\s*$)?)?/y;

function blockEnd(text: string, start: number): number {
  BLOCK_END.lastIndex = start;
  const end = BLOCK_END.exec(text);
  if (end !== null) return end.index + end[0].length;
  KEY_LINES.lastIndex = start;
  return KEY_LINES.test(text) ? KEY_LINES.lastIndex : tokenEnd(text, start);
}

/** A full stop or a colon after a cut belongs to the sentence. */
function trimmed(text: string, { start, end }: TextSpan): TextSpan {
  let last = end;
  while (last > start && /[.:\s]/.test(text.charAt(last - 1))) last -= 1;
  return { start, end: last };
}
