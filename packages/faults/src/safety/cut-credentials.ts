import { CUT } from "./cut-found.ts";
import { isOwnId } from "./own-ids.ts";
import { AUTHORED_RULES } from "./rules/authored-rules.ts";
import type { PatternRule } from "./rules/rule.ts";

/** A block of a key: to its end, or as far as its lines go. */
const KEY_BLOCK =
  /-----BEGIN [^-\n]{1,60}-----[\s\S]{1,8192}?-----END [^-\n]{1,60}-----|-----BEGIN [^\n]{0,200}(?:\r?\n[A-Za-z0-9+/=]{16,80}(?=\s|$)|\r?\n[A-Z][A-Za-z-]{2,20}: [^\n]{1,80}|\r?\n(?=\r?\n))*/g;

/** What a value goes on with after the part that a rule needs to know it. */
const VALUE = /[^\s"'`<>,;)\]}]*/y;
/** Values of these rules end otherwise: a header may list several, and a password ends before the host. */
const VALUES: Readonly<Record<string, RegExp>> = {
  "credential.header": /[^"'`\r\n]*/y,
  "credential.userinfo": /(?:)/y,
};

const CREDENTIAL_RULES: readonly PatternRule[] = AUTHORED_RULES.filter(({ id }) => !id.startsWith("hostile."));

/**
 * The text without credentials of an unmistakable form: private keys, tokens of providers, JWTs, passwords in addresses,
 * and values that are named as secrets. Names and everything else stay, for operators who have to find a cause.
 */
export function cutCredentials(text: string): string {
  let reading = readQuotes(text.includes("-----BEGIN ") ? text.replace(KEY_BLOCK, CUT) : text);
  for (const rule of CREDENTIAL_RULES) {
    const spans = spansOf(rule, reading.view);
    if (spans.length > 0) reading = readQuotes(cutSpans(reading, spans));
  }
  return reading.text;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function cutSpans({ text, placeOf }: Reading, spans: readonly Span[]): string {
  let out = "";
  let done = 0;
  for (const { start, end } of spans) {
    out += text.slice(done, placeOf(start)) + CUT;
    done = placeOf(end - 1) + 1;
  }
  return out + text.slice(done);
}

function spansOf({ id, find, confirm }: PatternRule, text: string): readonly Span[] {
  const spans: Span[] = [];
  let known = 0;
  for (const match of text.matchAll(find.global ? find : new RegExp(find, `${find.flags}g`))) {
    if (confirm !== undefined && !confirm(match)) continue;
    const span = valueSpan(id, match);
    if (span.start < known || span.end <= span.start || isOwnId(text.slice(span.start, span.end))) continue;
    spans.push(span);
    known = span.end;
  }
  return spans;
}

/** The value in a match: what the rule captures, or all of it, up to its end. */
function valueSpan(id: string, { 0: whole, 1: value = whole, index, input }: RegExpExecArray): Span {
  const start = index + whole.lastIndexOf(value);
  const from = start + value.length;
  const more = VALUES[id] ?? VALUE;
  more.lastIndex = from;
  return { start, end: from + (more.exec(input)?.[0].length ?? 0) };
}

/** A text, and how it reads without the backslashes of JSON inside JSON. */
interface Reading {
  readonly text: string;
  readonly view: string;
  /** Where a character of the view stands in the text. */
  readonly placeOf: (index: number) => number;
}

function readQuotes(text: string): Reading {
  if (!text.includes('\\"')) return { text, view: text, placeOf: (index) => index };
  const gaps: { readonly index: number; readonly total: number }[] = [];
  let total = 0;
  const view = text.replace(/\\{1,7}(?=")/g, (slashes, place: number) => {
    gaps.push({ index: place - total, total: total + slashes.length });
    total += slashes.length;
    return "";
  });
  return { text, view, placeOf: (index) => index + (gaps.findLast((gap) => gap.index <= index)?.total ?? 0) };
}
