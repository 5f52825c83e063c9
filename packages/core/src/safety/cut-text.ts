// Cuts out of a sentence what its reader must not see, and leaves the sentence.

import { CUT_MARK, type FoundSpan, findMatches } from "./find-matches.ts";
import { foldText, unfoldSpan } from "./folded-text.ts";
import { withoutOwnIds } from "./own-ids.ts";
import { latePattern, type RuleGroup, type TextSpan } from "./rules/rule.ts";
import { UNMISTAKABLE } from "./rules/unmistakable.ts";
import { findSecrets, type SecretFilter } from "./secrets.ts";

/** The most characters of one text that are looked at and shown. */
export const MAX_CUT_TEXT = 16_384;
/** Stands for the rule if the rest of a text was not looked at. */
export const TOO_LONG = "filter.too-long";
/** Stands for the rule if the rules were not loaded that a text needs. A text that nothing can judge is not shown. */
export const NOT_INSTALLED = "filter.not-installed";

/**
 * What is looked for besides registered secrets.
 * - `everything`: all that a stranger must not see.
 * - `credentials`: those of an unmistakable form.
 * - `templates`: tokens of the chat templates of models.
 * - `secrets`: nothing.
 */
export type CutScope = "everything" | "credentials" | "templates" | "secrets";

/** What may be shown of a text, and what belongs to it. */
export interface CutOptions {
  /** @default "everything" */
  readonly scope?: CutScope | undefined;
  /** The secrets of this request. Those of the process are always cut. @default none */
  readonly secrets?: SecretFilter | undefined;
  /** Groups of rules that are not applied. @default none */
  readonly allow?: readonly RuleGroup[] | undefined;
  /** Texts that the caller sent. A whole one may be repeated, unless it is labelled as a secret. @default none */
  readonly callerTexts?: readonly string[] | undefined;
  /** Keeps lines of stack frames and control characters, for logs. @default false */
  readonly keepFrames?: boolean | undefined;
}

/** A text without what its reader must not see. */
export interface CutOutcome {
  /** What may be shown. */
  readonly text: string;
  /** The first rule that something was cut for; undefined if nothing was. */
  readonly rule?: string | undefined;
  /** How many words the text had, without lines of stack frames. */
  readonly words: number;
  /** How many of them are left. */
  readonly left: number;
}

type Search = (of: {
  /** Without the ids of this library, which look random. */
  readonly text: string;
  readonly whole: string;
  readonly sent: readonly string[];
  readonly allow: readonly RuleGroup[];
}) => readonly FoundSpan[];

let installedSearch: Search | undefined;

/** Makes the search with all rules available, for the scope `everything`. Most programs never need it. */
export function installSearch(search: Search): void {
  installedSearch = search;
}

export function isSearchInstalled(): boolean {
  return installedSearch !== undefined;
}

/** A second look finds what a cut has put together. */
const MAX_PASSES = 3;

/** Cuts what the rules find out of a text. Its cost grows with its length alone, and that has a cap. */
export function cutText(text: string, options: CutOptions = {}): CutOutcome {
  const { scope = "everything", keepFrames = false } = options;
  const shown = startOf(text, MAX_CUT_TEXT);
  const clean = keepFrames ? shown.toWellFormed() : withoutFrames(shown.toWellFormed().replace(hiddenCharacters(), ""));
  if (scope === "everything" && installedSearch === undefined)
    return { text: CUT_MARK, rule: NOT_INSTALLED, words: 1, left: 0 };
  let rule = shown.length < text.length ? TOO_LONG : undefined;
  let out = clean;
  for (let round = 0; round < MAX_PASSES; round += 1) {
    const found = findCuts(out, options);
    if (found.length === 0) break;
    rule ??= found[0]?.rule;
    out = round === MAX_PASSES - 1 ? CUT_MARK : withoutSpans(out, found);
  }
  const words = wordCount(clean);
  const left = out === clean ? words : wordCount(out);
  return { text: shown.length < text.length ? `${out}…` : out, rule, words, left };
}

/** The start of a text, to the end of its last whole word. */
export function startOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, text.lastIndexOf(" ", max - 1) + 1 || max);
}

export function wasCut(shown: string | undefined, text: string): boolean {
  return shown === undefined || (shown.includes(CUT_MARK) && !text.includes(CUT_MARK));
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
const FRAME_LINE =
  /^[ \t]{0,16}(?:at (?:async |new )?(?:[\w$.<>[\] /]{1,200} \()?(?:[\w.+-]{1,20}:)?[^\s()]{0,400}:\d{1,7}(?::\d{1,7})?\)?|at (?:[\w$<>.]{1,200} \()?(?:<anonymous>|native(?: code)?|Native Method)\)?|at [\w$.]{1,200}\([\w$.]{1,80}(?::\d{1,7})?\)|File "[^"\n]{1,400}", line \d{1,7}(?:, in [^\n]{1,100})?|\.\.\. \d{1,4} (?:more|lines matching[^\n]{0,200}))[ \t]*$/;

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

/** What is cut out of a text, in the order of the rules. Parts may overlap. */
export function findCuts(
  text: string,
  { scope = "everything", secrets, allow = [], callerTexts: sent = [] }: CutOptions,
): readonly FoundSpan[] {
  const folded = foldText(text);
  const spans: FoundSpan[] = [];
  for (const span of findSecrets(folded, secrets)) spans.push({ ...wholeWord(folded.text, span), rule: "secret" });
  const searched = withoutOwnIds(folded.text);
  switch (scope) {
    case "everything":
      spans.push(...(installedSearch?.({ text: searched, whole: folded.text, sent, allow }) ?? []));
      break;
    case "credentials":
    case "templates":
      for (const rule of UNMISTAKABLE)
        if (!allow.includes(rule.group) && (scope === "credentials" || rule.group === "hostile"))
          spans.push(...findMatches(rule, searched));
      break;
    case "secrets":
      break;
    default:
      scope satisfies never;
  }
  return spans.map((span) => ({ ...span, ...unfoldSpan(folded, span) }));
}

const WORD_CHARACTER = /[\w-]/;

/** A known secret with the rest of the word at both ends. */
function wholeWord(text: string, span: TextSpan): TextSpan {
  let { start, end } = span;
  while (start > 0 && WORD_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && /[\w=-]/.test(text.charAt(end))) end += 1;
  return { start, end };
}

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
