import { restWithoutCallerText } from "./caller-matches.ts";
import { callerTextForms } from "./caller-texts.ts";
import { installFinder, type TextPolicy } from "./filter-line.ts";
import { mayRead, spendWork, type TOO_MUCH } from "./filter-work.ts";
import { MARKS } from "./harmless-rest.ts";
import { unescapeText } from "./layers.ts";
import { withoutOwnIds } from "./own-ids.ts";
import {
  allMatches,
  firstMatchingRule,
  type RepetitionCheck,
  type SearchOptions,
  searchPatterns,
} from "./pattern-search.ts";
import { ruleForLink } from "./received-text.ts";
import type { RuleId } from "./rules/all-rules.ts";

/**
 * The id of the first rule that matches a text, as it is or without its escapes. Undefined if the text may be shown: no rule
 * matches, or all that matches repeats the caller.
 */
export function findPattern(text: string, options: SearchOptions = {}): RuleId | typeof TOO_MUCH | undefined {
  return searchPatterns(text, options, repeatsCaller);
}

/** What it costs to look for one text of the caller in a character, in units of the limit of a fault. */
const FORM_COST = 1 / 256;

const repeatsCaller: RepetitionCheck = (views, { allow, callerTexts }) => {
  const { forms, unescaped } = readCallerForms(callerTexts);
  return views.every((view, at) => {
    const isUnescaped = at > 0;
    const repeated = isUnescaped ? unescaped : forms;
    if (!mayRead(view.length, "matches") || !spendWork(view.length * repeated.length * FORM_COST)) return false;
    const rest = restWithoutCallerText(view, { matches: allMatches(view, allow), repeated, isUnescaped });
    return rest !== undefined && firstMatchingRule(rest.replace(MARKS, "…"), allow) === undefined;
  });
};

/** The ways in which the texts of a caller may be repeated: in a text as it is, and in one without its escapes. */
interface CallerForms {
  readonly forms: readonly string[];
  readonly unescaped: readonly string[];
}

/** The forms for the texts of a call: they are made once for all texts of its fault. */
const callerFormsCache = new WeakMap<readonly string[], CallerForms>();

function readCallerForms(given: readonly string[]): CallerForms {
  const known = callerFormsCache.get(given);
  if (known !== undefined) return known;
  const texts = given.map(withoutOwnIds);
  const forms = texts.flatMap(callerTextForms);
  const made = { forms, unescaped: [...new Set([...forms, ...texts.map(unescapeText)])] };
  callerFormsCache.set(given, made);
  return made;
}

/** For texts of other programs that leave this one: all rules are applied to all of them. */
export const FOREIGN_TEXT: TextPolicy = { ruleForValue: findPattern, ruleForQuote: findPattern, ruleForLink };

/**
 * Makes the pattern filter available to reasons and `fail`, for values that read like a sentence and for quotations, which
 * are hidden without it. A guarded server and `toFault` install it themselves.
 *
 * @example
 * installTextFilter();
 * const { fault } = core.conflict({}, { quote: { text: reply.detail, from: "upstream" } });
 */
export function installTextFilter(): void {
  installFinder(findPattern);
}
