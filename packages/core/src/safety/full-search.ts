// All rules, and what only they need: what the caller sent, encoded tokens, and columns that hold secrets.

import { secretCells } from "./columns.ts";
import { installSearch } from "./cut-text.ts";
import { decodeBase64Run, decodePercent } from "./decoders.ts";
import { DELIMITERS, type FoundMatch, type FoundSpan, findMatches } from "./find-matches.ts";
import { CUT_RULES } from "./rules/cut-rules.ts";
import type { RuleGroup, TextSpan } from "./rules/rule.ts";
import { judgeValues } from "./show-line.ts";

/**
 * Loads the rules that find what a stranger must not see, for values that read like a text of a program and for quotations,
 * which are hidden without it. Both are then judged where a fault is made.
 *
 * @example
 * installTextFilter();
 * const { fault } = core.conflict({}, { quote: { text: reply.detail, from: "upstream" } });
 */
export function installTextFilter(): void {
  installSearch(findAll);
  judgeValues(readsLikeText, { made: true });
}

/** Loads the rules for what leaves a guarded server. Values of authors are judged there, and not where they are made. */
export function loadTextFilter(): void {
  installSearch(findAll);
  judgeValues(readsLikeText, { made: false });
}

/** Titles are shorter, and so are names and labels. */
const LONGEST_LABEL = { characters: 120, words: 4 } as const;

/** Codes and names that programs put into errors. */
const ERROR_CODE =
  /\bE(?:CONN|NO(?:ENT|TFOUND|SPC|MEM|TDIR)|ACCES|PERM|PIPE|HOST|NETUN|TIMEDOUT|EXIST|MFILE|ADDR|ISDIR|BUSY|AI_|SOCKET)[A-Z_]{0,12}\b|\bERR_\w|(?:Error|Exception)\b(?=:|\(|$)|\b(?:error|exception|fatal|panic)\s?:|\bSQLSTATE|\bORA-\d|\bgetaddrinfo\b/i;

/**
 * Tells whether a value that an author interpolated reads like a text of a program, as `error.message` does, and not like a
 * name, an id, a title or a label.
 */
function readsLikeText(value: string): boolean {
  return (
    value.includes("\n") ||
    value.length > LONGEST_LABEL.characters ||
    value.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length > LONGEST_LABEL.words ||
    ERROR_CODE.test(value)
  );
}

interface SearchedText {
  readonly text: string;
  readonly whole: string;
  readonly sent: readonly string[];
  readonly allow: readonly RuleGroup[];
}

/** What all rules find in a text, but those of the groups that are allowed. */
function findAll({ text, whole, sent, allow }: SearchedText): readonly FoundSpan[] {
  const excuses = new Excuses(whole, sent);
  const rules = allow.length === 0 ? CUT_RULES : CUT_RULES.filter(({ group }) => !allow.includes(group));
  const spans = rules.flatMap((rule) => findMatches(rule, text, (found) => isExcused(found, excuses)));
  if (allow.includes("credential")) return spans;
  for (const cell of secretCells(text)) spans.push({ ...cell, rule: "credential.column" });
  return [...spans, ...findEncoded(text)];
}

/** Whether what was found only repeats what the caller sent, or is an id in a form in common use. */
function isExcused({ rule: { to, isShape }, span, match }: FoundMatch, excuses: Excuses): boolean {
  // The line goes on after a statement, so only where it begins is known.
  const said = to === "statement" ? { start: span.start, end: match.index + match[0].trimEnd().length } : span;
  if (excuses.has(said)) return true;
  return isShape && isCommonId(match.input.slice(span.start, span.end), match.input, span.start);
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

/** What the caller sent, as far as it stands in a text as a whole, in capitals or not. */
class Excuses {
  readonly #text: string;
  readonly #sent: readonly string[];
  #spans: readonly TextSpan[] | undefined;

  constructor(text: string, sent: readonly string[]) {
    const folded = text.toLowerCase();
    // Some letters have another number of characters in lower case.
    const isFolded = folded.length === text.length;
    this.#text = isFolded ? folded : text;
    this.#sent = isFolded ? sent.map((one) => one.toLowerCase()) : sent;
  }

  /** Whether a span is, or lies in, a text that the caller sent as a whole. */
  has({ start, end }: TextSpan): boolean {
    if (this.#sent.length === 0) return false;
    this.#spans ??= this.#sent.flatMap((sent) => wholePlaces(this.#text, sent));
    return this.#spans.some((span) => span.start <= start && end <= span.end);
  }
}

const MAX_EXCUSED_PLACES = 64;

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

/** Tokens that say, decoded, what a credential rule finds. Decoded bytes often look random, so shapes say nothing there. */
function findEncoded(text: string): FoundSpan[] {
  const spans: FoundSpan[] = [];
  const labelled = CUT_RULES.filter(({ group, isShape }) => group === "credential" && !isShape);
  for (const { 0: token, index } of text.matchAll(ENCODED_TOKEN)) {
    const decoded = PERCENT.test(token) ? decodePercent(token) : decodeBase64Run(token, MIN_DECODED);
    if (decoded === "" || decoded === token) continue;
    const rule = labelled.find((one) => findMatches(one, decoded).length > 0);
    if (rule !== undefined) spans.push({ start: index, end: index + token.length, rule: rule.id });
  }
  return spans;
}
