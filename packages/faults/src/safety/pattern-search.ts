import type { RuleMatch } from "./caller-matches.ts";
import type { TextPolicy } from "./filter-line.ts";
import { findOnce, hasPassed, mayRead, rememberPassed, TOO_MUCH } from "./filter-work.ts";
import { unescapeText } from "./layers.ts";
import { FILTER_WINDOW } from "./line.ts";
import { withoutOwnIds } from "./own-ids.ts";
import { alternativesOf, Prefilter } from "./prefilter.ts";
import { ruleForLink } from "./received-text.ts";
import { PATTERN_RULES, type RuleId } from "./rules/all-rules.ts";
import { matchesRule, type PatternRule, type RuleGroup } from "./rules/rule.ts";

/** One alternative of one rule. */
interface PatternProbe {
  readonly id: RuleId;
  readonly group: RuleGroup;
  readonly find: RegExp;
  readonly confirm: PatternRule["confirm"];
}

interface Probes {
  readonly list: readonly PatternProbe[];
  readonly prefilter: Prefilter;
}

// Created on first use, since most programs never filter foreign text.
let probes: Probes | undefined;

function createProbes(): Probes {
  const list = PATTERN_RULES.flatMap(({ id, find, confirm }: PatternRule & { readonly id: RuleId }) =>
    (confirm ? [new RegExp(find)] : alternativesOf(find)).map((each) => ({
      id,
      group: ruleGroup(id),
      find: each,
      confirm,
    })),
  );
  return { list, prefilter: new Prefilter(list.map((probe) => probe.find)) };
}

function ruleGroup(id: RuleId): RuleGroup {
  return id.slice(0, id.indexOf(".")) as RuleGroup;
}

/** Longer texts seldom come again. */
const MAX_PASSED_LENGTH = 500;

/** Options of a search. */
export interface SearchOptions {
  /** Groups of rules that are not applied. @default none */
  readonly allow?: readonly RuleGroup[] | undefined;
  /** Texts that the caller sent, and may read again. @default none */
  readonly callerTexts?: readonly string[] | undefined;
}

/** Tells whether all matches in a text only repeat the caller, however the text is read. */
export type RepetitionCheck = (
  views: readonly string[],
  options: { readonly allow: SearchOptions["allow"]; readonly callerTexts: readonly string[] },
) => boolean;

/**
 * The id of the first rule that matches a text, as it is or without its escapes. Undefined if the text may be shown. The check
 * of what repeats the caller is passed in, because it is large and a program that only reads texts has no caller.
 */
export function searchPatterns(
  text: string,
  options: SearchOptions,
  repeatsCaller?: RepetitionCheck,
): RuleId | typeof TOO_MUCH | undefined {
  const { allow, callerTexts } = options;
  // A text that repeats the caller passes for this caller only.
  return findOnce(allow === undefined ? (callerTexts ?? PATTERN_RULES) : undefined, text, () =>
    search(text, options, repeatsCaller),
  );
}

function search(
  text: string,
  { allow, callerTexts = [] }: SearchOptions,
  repeatsCaller: RepetitionCheck | undefined,
): RuleId | typeof TOO_MUCH | undefined {
  // The same for a text that is known: what may be shown of a fault must not depend on what was read before.
  if (!mayRead(Math.min(text.length, FILTER_WINDOW), "patterns")) return TOO_MUCH;
  if (hasPassed(text)) return undefined;
  const views = viewsOf(withoutOwnIds(text));
  const [, unescaped] = views;
  if (unescaped !== undefined && !mayRead(unescaped.length, "patterns")) return TOO_MUCH;
  const match = views.reduce<RuleId | undefined>((found, view) => found ?? firstMatchingRule(view, allow), undefined);
  const isSimple = allow === undefined && unescaped === undefined && text.length <= MAX_PASSED_LENGTH;
  if (match === undefined && isSimple) rememberPassed(text);
  if (match === undefined || callerTexts.length === 0) return match;
  return repeatsCaller?.(views, { allow, callerTexts }) === true ? undefined : match;
}

/** The text as it is, and without its escapes if it has any. */
function viewsOf(text: string): readonly string[] {
  const head = text.slice(0, FILTER_WINDOW);
  const plain = unescapeText(head).slice(0, 2 * FILTER_WINDOW);
  return plain === head ? [head] : [head, plain];
}

/** The id of the first rule that matches a text as it is. */
export function firstMatchingRule(text: string, allow: SearchOptions["allow"]): RuleId | undefined {
  for (const probe of candidatesFor(text, allow)) if (matchesRule(probe, text)) return probe.id;
  return undefined;
}

function* candidatesFor(text: string, allow: SearchOptions["allow"]): Iterable<PatternProbe> {
  probes ??= createProbes();
  const { list, prefilter } = probes;
  const candidates = prefilter.candidates(text);
  for (let i = candidates.indexOf(1); i >= 0; i = candidates.indexOf(1, i + 1)) {
    const probe = list[i] as PatternProbe;
    if (!allow?.includes(probe.group)) yield probe;
  }
}

/** A rule that is tried more often than this on one text is not tried any further. */
const MAX_RULE_TRIES = 300;

/**
 * All matches of all rules, also those that overlap, except for parts of a match of the same rule. It ends with an unknown if
 * there are too many to check each.
 */
export function* allMatches(text: string, allow: SearchOptions["allow"]): Iterable<RuleMatch | undefined> {
  for (const { id, find, confirm, group } of candidatesFor(text, allow)) {
    const all = new RegExp(find, find.global ? find.flags : `${find.flags}g`);
    let known = 0;
    for (let match = all.exec(text), tries = 0; match; match = all.exec(text)) {
      if (++tries > MAX_RULE_TRIES) return yield undefined;
      const end = match.index + match[0].length;
      if (end > known && confirm && !confirm(match)) continue;
      all.lastIndex = match.index + 1;
      if (end > known) yield { id, group, start: match.index, end };
      known = Math.max(known, end);
    }
  }
}

/** For texts of other programs that are only read here. Nothing in them can repeat a caller: there is none. */
export const READ_TEXT: TextPolicy = { ruleForValue: searchReadText, ruleForQuote: searchReadText, ruleForLink };

function searchReadText(text: string, { allow }: SearchOptions): RuleId | typeof TOO_MUCH | undefined {
  return searchPatterns(text, { allow });
}
