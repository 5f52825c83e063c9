// Cuts out of a sentence what its reader must not see, and leaves the sentence.

import { cutFound } from "./cut.ts";
import { decodeBase64Runs, decodePercent } from "./layers.ts";
import { ASCII_ONLY, INVISIBLE_CHARACTERS, isReadable, readText, type TextSpan } from "./line.ts";
import { isOwnId } from "./own-ids.ts";
import { CUT_RULES, type CutRule, secretCells } from "./rules/cut-rules.ts";
import { latePattern, type RuleGroup } from "./rules/rule.ts";
import { containsSecret, type SecretFilter } from "./secrets.ts";

/** Stands in a text for what was cut out of it. No rule takes it for a value. */
export const CUT_MARK = "[removed]";
/** The most characters of one text that are looked at and shown. */
export const MAX_CUT_TEXT = 16_384;
/** Stands for the rule if the rest of a text was not looked at. */
export const TOO_LONG = "filter.too-long";

/** What may be shown of a text, and what belongs to it. */
export interface CutOptions {
  /** The secrets of this request. Those of the process are always cut. @default none */
  readonly secrets?: SecretFilter | undefined;
  /** Groups of rules that are not applied. @default none */
  readonly allow?: readonly RuleGroup[] | undefined;
  /** Texts that the caller sent. A whole one may be repeated, unless it is labelled as a secret. @default none */
  readonly callerTexts?: readonly string[] | undefined;
}

/** A text without what its reader must not see. */
export interface CutOutcome {
  readonly text: string;
  /** The first rule that something was cut for; undefined if nothing was. */
  readonly rule?: string | undefined;
  /** How many words the text had, without lines of stack frames, and how many are left. */
  readonly words: number;
  readonly left: number;
}

/** A second look finds what a cut has put together. */
const MAX_PASSES = 3;

/** Cuts what the rules find out of a text. Its cost grows with its length alone, and that has a cap. */
export function cutText(text: string, options: CutOptions = {}): CutOutcome {
  const shown =
    text.length > MAX_CUT_TEXT ? text.slice(0, text.lastIndexOf(" ", MAX_CUT_TEXT - 1) + 1 || MAX_CUT_TEXT) : text;
  const clean = withoutFrames(shown.toWellFormed().replace(hiddenCharacters(), ""));
  let rule = shown.length < text.length ? TOO_LONG : undefined;
  let out = clean;
  if (containsSecret(out, options.secrets)) {
    out = cutFound(out, (part) => containsSecret(part, options.secrets), CUT_MARK);
    rule ??= "secret";
  }
  for (let round = 0; round < MAX_PASSES; round += 1) {
    const found = findCuts(out, options);
    if (found.length === 0) break;
    rule ??= found[0]?.rule;
    out = round === MAX_PASSES - 1 ? CUT_MARK : withoutSpans(out, found);
  }
  const words = wordCount(clean);
  return {
    text: shown.length < text.length ? `${out}…` : out,
    rule,
    words,
    left: out === clean ? words : wordCount(out),
  };
}

/** Whether so little of a text is left that it says nothing any more. */
export function isMostlyCut({ words, left }: Pick<CutOutcome, "words" | "left">): boolean {
  return left * 2 < words;
}

/** What a terminal takes for a command, what a display does not show, and what overwrites what stands before it. */
const hiddenCharacters = /* @__PURE__ */ latePattern(
  String.raw`\u001b\[[\d;?]{0,16}[A-Za-z]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u2069\u{e0000}-\u{e007f}]|\r(?!\n)|\p{Default_Ignorable_Code_Point}{3,}`,
  "gu",
);
/** A line of a stack of JavaScript, Java or Python. */
const FRAME_LINE =
  /^[ \t]{0,16}(?:at (?:async |new )?(?:[\w$.<>[\] /]{1,200} \()?(?:[\w.+-]{1,20}:)?[^\s()]{0,400}:\d{1,7}(?::\d{1,7})?\)?|at (?:[\w$<>.]{1,200} \()?(?:<anonymous>|native(?: code)?|Native Method)\)?|at [\w$.]{1,200}\([\w$.]{1,80}(?::\d{1,7})?\)|File "[^"\n]{1,400}", line \d{1,7}(?:, in [^\n]{1,100})?|\.\.\. \d{1,4} (?:more|lines matching[^\n]{0,200}))[ \t]*$/;

/** The text without the lines that show where in a program something happened. */
function withoutFrames(text: string): string {
  if (!text.includes("\n")) return text;
  const lines = text.split("\n");
  const kept = lines.filter((line) => !FRAME_LINE.test(line));
  return kept.length === lines.length ? text : kept.join("\n");
}

const ANY_WORD = /[\p{L}\p{N}_]+/gu;

function wordCount(text: string): number {
  return text.replaceAll(CUT_MARK, "").match(ANY_WORD)?.length ?? 0;
}

interface FoundSpan extends TextSpan {
  readonly rule: string;
}

/** A text as the rules read it: compatible characters, nothing invisible, no backslash before a quotation mark. */
interface FoldedText {
  readonly text: string;
  /** Where each of its characters begins and ends in the text; undefined if it is the text. */
  readonly places?: readonly TextSpan[];
}

const CHANGED_IN_VIEW = /\\{1,7}(?=")|[^\u0020-\u007e\t\r\n]\p{M}*/gu;
/** More accents on one character are dropped: no writing needs them, and normalising takes time by the square of their number. */
const MAX_CLUSTER = 8;

function viewOf(text: string): FoldedText {
  if (ASCII_ONLY.test(text) && !text.includes('\\"')) return { text };
  let view = "";
  const places: TextSpan[] = [];
  const copy = (from: number, to: number) => {
    view += text.slice(from, to);
    for (let at = from; at < to; at += 1) places.push({ start: at, end: at + 1 });
  };
  let done = 0;
  for (const { 0: found, index } of text.matchAll(CHANGED_IN_VIEW)) {
    copy(done, index);
    done = index + found.length;
    if (found.startsWith("\\")) continue;
    const plain = found.slice(0, MAX_CLUSTER).normalize("NFKC").replace(INVISIBLE_CHARACTERS, "");
    view += plain;
    for (let at = 0; at < plain.length; at += 1) places.push({ start: index, end: done });
  }
  copy(done, text.length);
  return { text: view, places };
}

function placed({ places }: FoldedText, { start, end }: TextSpan): TextSpan {
  if (places === undefined) return { start, end };
  return { start: places[start]?.start ?? start, end: places[end - 1]?.end ?? end };
}

function findCuts(text: string, options: CutOptions): FoundSpan[] {
  const view = viewOf(text);
  const rules = CUT_RULES.filter(({ group }) => options.allow?.includes(group) !== true);
  const excuses = new Excuses(view.text, options.callerTexts ?? []);
  const spans: FoundSpan[] = [];
  for (const rule of rules) spans.push(...spansOf(rule, view.text, excuses));
  if (options.allow?.includes("credential") !== true) {
    for (const cell of secretCells(view.text)) spans.push({ ...cell, rule: "credential.column" });
    spans.push(...encodedSpans(view.text));
  }
  return spans.map((span) => ({ ...span, ...placed(view, span) }));
}

function spansOf(rule: CutRule, text: string, excuses: Excuses): FoundSpan[] {
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
    if (span.end <= span.start || isMark(part) || isOwnId(part)) continue;
    if (rule.isExcusable && (excuses.has(span) || (rule.isShape === true && isCommonId(part, text, span.start))))
      continue;
    spans.push({ ...span, rule: id });
    done = span.end;
  }
  return spans;
}

/** Ids of the forms in common use: they look random, but only name a thing. */
const COMMON_ID =
  /^(?:urn:uuid:|#|id:|ID:)?(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{24}|[0-9a-f]{40}|(?:ch|pi|cus|sub|in|pm|evt|price|prod|po|tr|req|txn|inv|org|proj|asst|thread|run|msg|resp|batch|user|wf|job)_[A-Za-z0-9]{8,40}|(?:rec|tbl|app|fld|viw|att|wsp)[A-Za-z0-9]{14})$/i;

const NAMED_DIGEST = /^(?:sha(?:256|384|512)[:-])?[0-9a-f]{32,128}$/i;
const DIGEST_BEFORE = /\b(?:sha-?\d{1,3}|md5|digest|checksum|etag)\b[^\n]{0,40}$/i;

/** The name of a key: its value is none of the ids, whatever its form. */
const KEY_BEFORE = /(?:key|token|secret|auth)["']?\s?[=:]\s?["']?$/i;

function isCommonId(part: string, text: string, start: number): boolean {
  if (KEY_BEFORE.test(text.slice(Math.max(0, start - 60), start))) return false;
  if (COMMON_ID.test(part)) return true;
  return (
    NAMED_DIGEST.test(part) && (/^sha/i.test(part) || DIGEST_BEFORE.test(text.slice(Math.max(0, start - 60), start)))
  );
}

function isMark(part: string): boolean {
  return part.replaceAll(CUT_MARK, "").replaceAll(/["'`()[\],;:=.\s]/g, "") === "" || CUT_MARK.includes(part);
}

/** Where the value of a match stands. */
function valueIn({ to, groups = [] }: CutRule, match: RegExpExecArray): TextSpan {
  const { 0: whole, index } = match;
  const value = groups.map((group) => match[group]).find((found) => found !== undefined && found !== "");
  if (value === undefined) return { start: index, end: index + whole.length };
  const at = to === "value" || to === "header" ? whole.lastIndexOf(value) : whole.indexOf(value);
  return { start: index + at, end: index + at + value.length };
}

const DELIMITERS = /[\s"'`()[\]{}<>,;“”«»]/;
/** The end of a value in a query; any other `&` may be part of a password. */
const NEXT_PARAMETER = /&(?:amp;)?[\w.%-]{1,40}=|&$|&\s/y;
const CLOSING_QUOTES = { '"': '"', "'": "'", "`": "`", "“": "”", "«": "»" } as const;

function widen(rule: CutRule, match: RegExpExecArray): TextSpan {
  const { input: text } = match;
  const value = valueIn(rule, match);
  switch (rule.to) {
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
    case "name":
      return {
        start: value.start,
        end: value.end + (NAME_WORDS.exec(text.slice(value.end, value.end + 64))?.[0].length ?? 0),
      };
    default:
      return rule.to satisfies never;
  }
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

function blockEnd(text: string, start: number): number {
  BLOCK_END.lastIndex = start;
  const end = BLOCK_END.exec(text);
  if (end !== null) return end.index + end[0].length;
  if (text.startsWith("-----BEGIN ", start)) return text.length;
  return tokenEnd(text, start);
}

/** A full stop or a colon after a cut belongs to the sentence. */
function trimmed(text: string, { start, end }: TextSpan): TextSpan {
  let last = end;
  while (last > start && /[.:\s]/.test(text.charAt(last - 1))) last -= 1;
  return { start, end: last };
}

/** What the caller sent, as far as it stands in a text as a whole. */
class Excuses {
  readonly #text: string;
  readonly #sent: readonly string[];
  #spans: readonly TextSpan[] | undefined;

  constructor(text: string, sent: readonly string[]) {
    this.#text = text;
    this.#sent = sent;
  }

  /** Whether a span is, or lies in, a text that the caller sent as a whole. */
  has({ start, end }: TextSpan): boolean {
    if (this.#sent.length === 0) return false;
    this.#spans ??= this.#sent.flatMap((sent) => wholePlaces(this.#text, sent));
    return this.#spans.some((span) => span.start <= start && end <= span.end);
  }
}

const MAX_EXCUSED_PLACES = 64;

/** Where a text repeats another one as a whole token or as several. */
function wholePlaces(text: string, sent: string): TextSpan[] {
  const spans: TextSpan[] = [];
  for (
    let at = text.indexOf(sent);
    at !== -1 && spans.length < MAX_EXCUSED_PLACES;
    at = text.indexOf(sent, at + sent.length)
  ) {
    const end = at + sent.length;
    const before = text.charAt(at - 1);
    const isWhole = before === "=" || isEdge(before) || DELIMITERS.test(before);
    const after = text.slice(end, end + 2);
    if (isWhole && (isEdge(after) || DELIMITERS.test(after.charAt(0)) || /^[.:!?…](?:\s|["')\]]|$)/.test(after)))
      spans.push({ start: at, end });
  }
  return spans;
}

function isEdge(part: string): boolean {
  return part === "";
}

/** A token that may be text in percent or base64 form. */
const ENCODED_TOKEN = /[A-Za-z0-9+/_=~.%-]{16,}/g;
const PERCENT = /%[0-9A-Fa-f]{2}/;
const MIN_DECODED = 8;

/** Tokens that say, decoded, what a credential rule finds. */
function encodedSpans(text: string): FoundSpan[] {
  const spans: FoundSpan[] = [];
  for (const { 0: token, index } of text.matchAll(ENCODED_TOKEN)) {
    const decoded = PERCENT.test(token) ? decodePercent(token) : decodeBase64Runs(token, MIN_DECODED);
    if (decoded === "" || decoded === token || isOwnId(token)) continue;
    const rule = LABELLED_RULES.find((one) => spansOf(one, decoded, NO_EXCUSES).length > 0);
    if (rule !== undefined) spans.push({ start: index, end: index + token.length, rule: rule.id });
  }
  return spans;
}

const NO_EXCUSES = /* @__PURE__ */ new Excuses("", []);
/** Decoded bytes often look random, so shapes say nothing there. */
const LABELLED_RULES = /* @__PURE__ */ CUT_RULES.filter(
  ({ group, isShape }) => group === "credential" && isShape !== true,
);

function withoutSpans(text: string, spans: readonly TextSpan[]): string {
  let out = "";
  let done = 0;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= done) continue;
    if (start > done || out === "") out += text.slice(done, Math.max(start, done)) + CUT_MARK;
    done = end;
  }
  return (out + text.slice(done)).toWellFormed();
}

/** The text that was encoded in base64; undefined for other data. */
export function textInBase64(encoded: string): string | undefined {
  try {
    const text = readText(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
    return text !== undefined && isReadable(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
