import {
  goesOn,
  hasNeighbours,
  isHarmlessRest,
  isHarmlessToken,
  namesSecret,
  possibleValues,
  REPEATED,
} from "./harmless-rest.ts";
import { isPlainWord } from "./plain-words.ts";
import { findRepetitions, type Span, tokenEnd, tokenStart } from "./repetitions.ts";
import type { RuleId } from "./rules/all-rules.ts";
import type { RuleGroup } from "./rules/rule.ts";

/** A match of a rule in a text. */
export interface RuleMatch extends Span {
  readonly id: RuleId;
  readonly group: RuleGroup;
}

/**
 * Groups whose matches are mostly a sign that a program wrote the text, and not themselves the thing to hide. What else such
 * a text says has to be checked more strictly.
 */
const SIGNS: ReadonlySet<RuleGroup> = new Set(["code", "database", "markup", "provider", "system"]);

/** Rules of these groups that find a name or an id: where the caller sent that, nothing else is to be hidden. */
const NAMES: ReadonlySet<string> = new Set<RuleId>([
  "code.class",
  "code.package",
  "database.name",
  "database.object",
  "provider.arn",
  "provider.object-id",
  "provider.resource",
]);

function isSign({ id, group }: RuleMatch): boolean {
  return SIGNS.has(group) && !NAMES.has(id);
}

/**
 * The text with what repeats the caller replaced, if that excuses all matches of rules in it and the rest is harmless.
 * Undefined if the text has to be removed.
 */
export function excuseMatches(
  text: string,
  matches: readonly RuleMatch[],
  repeated: Iterable<string>,
): string | undefined {
  const found = findRepetitions(text, repeated);
  const used = new Set<Span>();
  let isLabelled = namesSecret(text);
  for (const match of matches) {
    const span = found.find((one) => excuses(one, match, text));
    if (span === undefined) return undefined;
    used.add(span);
    isLabelled ||= match.group === "credential" && !isInside(match, span);
  }
  const strictness = isLabelled || matches.some(isSign) ? "words" : "values";
  for (const token of tokensOf(text)) {
    if (isHarmlessToken(text.slice(token.start, token.end), "values")) continue;
    const span = found.find((one) => one.start < token.end && one.end > token.start);
    if (span !== undefined) used.add(span);
  }
  const isUsed = (at: number) => [...used].some(({ start, end }) => start <= at && at < end);
  if (isLabelled && !possibleValues(text).every(isUsed)) return undefined;
  const rest = replaceSpans(text, [...used]);
  return isHarmlessRest(rest, strictness) && !hasNeighbours(rest, { marksBetween: isLabelled }) ? rest : undefined;
}

/**
 * A repetition excuses a match that lies inside it. A rule may also match the words around a value, such as "phone number":
 * ordinary words outside the repetition do no harm, except after the name of a secret, where any word may be the secret.
 */
function excuses(span: Span, match: RuleMatch, text: string): boolean {
  if (match.start >= span.end || match.end < span.start) return false;
  const before = match.start < span.start ? text.slice(tokenStart(text, match.start), span.start) : "";
  const after = match.end > span.end ? text.slice(span.end, tokenEnd(text, match.end)) : "";
  if (!areOrdinary(before)) return false;
  if (match.group === "credential") return !/[\p{L}\p{N}]/u.test(after);
  // A rule for paths knows what systems say after a path. In other rules the name comes first, and what follows is the value.
  return match.group === "path" ? areOrdinary(after) : goesOn(after) && !/\p{N}/u.test(after);
}

function areOrdinary(words: string): boolean {
  return words.split(/[^\p{L}\p{N}]+/u).every((word) => word === "" || isPlainWord(word) || namesSecret(word));
}

function isInside(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function tokensOf(text: string): readonly Span[] {
  return Array.from(text.matchAll(/\S+/gu), ({ 0: token, index }) => ({ start: index, end: index + token.length }));
}

/** The text with a sign in place of each span that lies in no other; two signs where spans overlap. */
function replaceSpans(text: string, spans: readonly Span[]): string {
  let rest = "";
  let at = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (end <= at) continue;
    rest += text.slice(at, start) + REPEATED;
    at = end;
  }
  return rest + text.slice(at);
}
