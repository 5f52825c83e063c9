import { allMatches, READ_TEXT } from "../safety/pattern-search.ts";
import type { RuleGroup } from "../safety/rules/rule.ts";

/** What a text gives away, by the group of the rule that finds it. */
const LEAKS = {
  code: "code or a stack trace",
  credential: "a credential",
  database: "a statement or the names of a database",
  hostile: "an instruction to the model, or hidden characters",
  host: "a host of the inner network",
  id: "an internal id",
  markup: "a page instead of a sentence",
  path: "a path of the server's machine",
  personal: "personal data",
  provider: "an internal text of a provider",
  system: "an error text of the system",
  url: "an internal address",
} as const satisfies Record<RuleGroup, string>;

/** Rules may match more than the groups name, such as a text that is too long to check. */
const OTHER_LEAK = "something internal";

/**
 * What a text that a server sent gives away, in a few words. Undefined if a guarded server would have sent it too.
 *
 * @example
 * leakIn("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5"); // "a credential"
 */
export function leakIn(text: string): string | undefined {
  const rule = READ_TEXT.ruleForQuote(text, {});
  if (rule === undefined) return undefined;
  const [group = ""] = rule.split(".");
  return Object.hasOwn(LEAKS, group) ? LEAKS[group as RuleGroup] : OTHER_LEAK;
}

/** A part of a text that gives something away. */
export interface LeakedPart {
  /** Where it begins. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
  /** What it gives away, in a few words. A part may give several things away. */
  readonly leaks: readonly string[];
}

/** What words end with. */
const WORD_END = /[\s"'`,;()[\]{}<>\\]/;
/** Parts are searched one after the other in windows of this length. They overlap, so that nothing hides at a border. */
const WINDOW = 4_096;
const OVERLAP = 1_024;
/** Texts are searched up to this length. */
const MAX_SEARCHED = 65_536;

/**
 * The parts of a text because of which a guarded server leaves it out, as whole words, in order and without overlaps. The text
 * is searched up to 64 kB. A text of which `leakIn` says something may have no such part, if its escapes hide it.
 *
 * @example
 * const [part] = findLeakedParts("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5");
 * console.log(part?.start, part?.leaks); // 21 [ "a credential", … ]
 */
export function findLeakedParts(text: string): readonly LeakedPart[] {
  const found: { start: number; end: number; leak: string }[] = [];
  for (let from = 0; from < Math.min(text.length, MAX_SEARCHED); from += WINDOW - OVERLAP) {
    for (const match of allMatches(text.slice(from, from + WINDOW), undefined)) {
      // Too many matches to check each: the rest of the window counts.
      const { start, end, group } = match ?? { start: 0, end: WINDOW, group: undefined };
      const leak = group === undefined ? OTHER_LEAK : LEAKS[group];
      found.push({ ...widenToWords(text, from + start, Math.min(from + end, text.length)), leak });
    }
  }
  return mergeParts(found.toSorted((a, b) => a.start - b.start || a.end - b.end));
}

function widenToWords(text: string, from: number, to: number): { readonly start: number; readonly end: number } {
  let start = from;
  let end = Math.max(to, from + 1);
  while (start > 0 && !WORD_END.test(text.charAt(start)) && !WORD_END.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && !WORD_END.test(text.charAt(end - 1)) && !WORD_END.test(text.charAt(end))) end += 1;
  return { start, end };
}

function mergeParts(found: readonly { start: number; end: number; leak: string }[]): readonly LeakedPart[] {
  const parts: { start: number; end: number; leaks: string[] }[] = [];
  for (const { start, end, leak } of found) {
    const last = parts.at(-1);
    if (last === undefined || start >= last.end) {
      parts.push({ start, end, leaks: [leak] });
      continue;
    }
    last.end = Math.max(last.end, end);
    if (!last.leaks.includes(leak)) last.leaks.push(leak);
  }
  return parts;
}
