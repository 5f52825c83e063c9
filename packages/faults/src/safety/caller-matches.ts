import { findRepetitions, type Tokens, tokensIn } from "./caller-texts.ts";
import { spendWork } from "./filter-work.ts";
import {
  BETWEEN_WORDS,
  COMPLETE_MARK,
  databaseNames,
  goesOn,
  hasNeighbours,
  isAboutAccess,
  isHarmlessRest,
  isHarmlessToken,
  isPlainWord,
  LETTER_OR_DIGIT,
  namesSecret,
  possibleValues,
  REPEATED_MARK,
  type Strictness,
} from "./harmless-rest.ts";
import type { TextSpan } from "./line.ts";
import type { RuleId } from "./rules/all-rules.ts";
import type { RuleGroup } from "./rules/rule.ts";

/** A match of a rule in a text. */
export interface RuleMatch extends TextSpan {
  readonly id: RuleId;
  readonly group: RuleGroup;
}

/**
 * Groups whose matches are mostly a sign that a program wrote the text, and not themselves the thing to hide. What else such
 * a text says has to be checked more strictly.
 */
const SIGN_GROUPS: ReadonlySet<RuleGroup> = new Set(["code", "database", "markup", "provider", "system"]);

/** Rules of these groups that find a name or an id: if the caller sent that, nothing else has to be hidden. */
const NAME_RULES: ReadonlySet<string> = new Set<RuleId>([
  "code.class",
  "code.package",
  "database.name",
  "database.object",
  "provider.arn",
  "provider.object-id",
  "provider.resource",
]);

/** Text that attacks its reader is removed, no matter who wrote it. */
function isHostile({ id, group }: RuleMatch, isUnescaped: boolean): boolean {
  // Without its escapes, a regular expression with `\b` has control characters that the text to be shown does not have.
  return group === "hostile" && !(isUnescaped && id === "hostile.control");
}

function isSign({ id, group }: RuleMatch): boolean {
  return SIGN_GROUPS.has(group) && !NAME_RULES.has(id);
}

/** What a match costs, and each repetition that may account for it, in units of the limit of a fault. */
const MATCH_COST = 2;
const SPAN_COST = 1 / 8;

/** A text with its tokens. */
interface ReadTokens {
  readonly text: string;
  readonly tokens: Tokens;
}

/** What is known about a text that may only repeat the caller. */
interface CallerTextOptions {
  /** All matches of rules in it. An unknown one cannot be a repetition. */
  readonly matches: Iterable<RuleMatch | undefined>;
  /** What the caller sent. */
  readonly repeated: Iterable<string>;
  /** Whether the escapes of the text were decoded. */
  readonly isUnescaped: boolean;
}

/**
 * The text with what repeats the caller replaced, if that accounts for all matches of rules in it and the rest is harmless.
 * Undefined if the text has to be removed.
 */
export function restWithoutCallerText(
  text: string,
  { matches, repeated, isUnescaped }: CallerTextOptions,
): string | undefined {
  const found = findRepetitions(text, repeated);
  if (found.length === 0) return undefined;
  const tokens = tokensIn(text);
  const used = new Map<TextSpan, string>();
  let isLabelled = namesSecret(text);
  let strictness: Strictness = isLabelled ? "words" : "values";
  for (const match of matches) {
    if (match === undefined || isHostile(match, isUnescaped)) return undefined;
    if (!spendWork(MATCH_COST + found.length * SPAN_COST)) return undefined;
    const span =
      found.find((one) => isWithinSpan(match, one)) ?? found.find((one) => covers(one, match, { text, tokens }));
    if (span === undefined) return undefined;
    if (used.get(span) !== COMPLETE_MARK)
      used.set(span, isComplete(span, match, { text, tokens }) ? COMPLETE_MARK : REPEATED_MARK);
    isLabelled ||= match.group === "credential" && !isWithinSpan(match, span);
    if (isLabelled || isSign(match)) strictness = "words";
  }
  for (const token of tokenSpans(text)) {
    if (!spendWork(found.length * SPAN_COST)) return undefined;
    if (isHarmlessToken(text.slice(token.start, token.end), "words")) continue;
    const span = found.find((one) => one.start < token.end && one.end > token.start);
    if (span !== undefined && !used.has(span))
      used.set(span, hasFileEnding(span, text) ? COMPLETE_MARK : REPEATED_MARK);
  }
  const isSent = (at: number) => found.some(({ start, end }) => start <= at && at < end);
  if (!databaseNames(text).every(isSent)) return undefined;
  const spans = [...used.keys()];
  const isUsed = (at: number) => spans.some(({ start, end }) => start <= at && at < end);
  if (isLabelled && !possibleValues(text).every(isUsed)) return undefined;
  const rest = replaceSpans(text, used);
  if (isAboutAccess(rest)) strictness = "words";
  return isHarmlessRest(rest, strictness) && !hasNeighbours(rest, { marksBetween: isLabelled }) ? rest : undefined;
}

/** No rule needs more words around a value. */
const MAX_AROUND = 80;

/**
 * A repetition covers a match that lies inside it. A rule may also match the words around a value, such as "phone number":
 * ordinary words outside the repetition do no harm, except after the name of a secret, where any word may be the secret.
 */
function covers(span: TextSpan, match: RuleMatch, { text, tokens }: ReadTokens): boolean {
  if (match.start >= span.end || match.end < span.start) return false;
  if (span.start - match.start > MAX_AROUND || match.end - span.end > MAX_AROUND) return false;
  const from = match.start < span.start ? tokens.startOf(match.start) : span.start;
  const to = match.end > span.end ? tokens.endOf(match.end) : span.end;
  if (span.start - from > 2 * MAX_AROUND || to - span.end > 2 * MAX_AROUND) return false;
  const before = text.slice(from, span.start);
  const after = text.slice(span.end, to);
  if (!areOrdinary(before) || isValueQuoted(before)) return false;
  // Such a rule matches names that may be ordinary words, as in "table orders does not exist".
  if (SIGN_GROUPS.has(match.group) && /\S\s+\S/.test(before)) return false;
  if (!LETTER_OR_DIGIT().test(after)) return true;
  if (match.group === "credential") return false;
  // A rule for paths knows what systems say after a path. In other rules the name comes first, and what follows is the value.
  return match.group === "path" ? areOrdinary(after) : goesOn(after) && !/\p{N}/u.test(after);
}

/** Something in quotation marks before the repetition is another value. */
function isValueQuoted(before: string): boolean {
  const quote = before.search(/["'`«“‘]/);
  return quote >= 0 && LETTER_OR_DIGIT().test(before.slice(quote));
}

function areOrdinary(words: string): boolean {
  return words.split(BETWEEN_WORDS()).every((word) => word === "" || isPlainWord(word) || namesSecret(word));
}

function isWithinSpan(inner: TextSpan, outer: TextSpan): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function tokenSpans(text: string): readonly TextSpan[] {
  return Array.from(text.matchAll(/\S+/gu), ({ 0: token, index }) => ({ start: index, end: index + token.length }));
}

/** Rules whose matches are complete by their form. A path, a name or a passphrase may go on after a space. */
const COMPLETE_FORMS =
  /^(?:host|id|url)\.|^personal\.(?:card|device|email|geo|iban|phone|phone-national|ssn)$|^provider\.(?:arn|object-id)$/;
const FILE_ENDING = /[\w)]\.[a-z][a-z0-9]{1,4}$/i;

function isComplete(span: TextSpan, { id, group, start, end }: RuleMatch, { text, tokens }: ReadTokens): boolean {
  if (Math.max(end, tokens.endOf(start)) < span.end) return false;
  return COMPLETE_FORMS.test(id) || (group === "path" && hasFileEnding(span, text));
}

function hasFileEnding({ start, end }: TextSpan, text: string): boolean {
  return FILE_ENDING.test(text.slice(start, end));
}

/** The text with a mark in place of each span that lies in no other; two marks if spans overlap. */
function replaceSpans(text: string, marks: ReadonlyMap<TextSpan, string>): string {
  let rest = "";
  let at = 0;
  for (const [{ start, end }, mark] of [...marks].sort(([a], [b]) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    rest += text.slice(at, start) + mark;
    at = end;
  }
  return rest + text.slice(at);
}
