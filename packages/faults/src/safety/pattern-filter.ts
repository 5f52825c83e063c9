import { WINDOW } from "./line.ts";
import { alternativesOf } from "./pattern-requirements.ts";
import { Prefilter } from "./prefilter.ts";
import { PATTERN_RULES, type RuleId } from "./rules/all-rules.ts";
import type { PatternRule, RuleGroup } from "./rules/rule.ts";
import { unescapeText } from "./unescape.ts";

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
      group: groupOf(id),
      find: each,
      confirm,
    })),
  );
  return { list, prefilter: new Prefilter(list.map((probe) => probe.find)) };
}

function groupOf(id: RuleId): RuleGroup {
  return id.slice(0, id.indexOf(".")) as RuleGroup;
}

/**
 * Texts that no rule matched, the oldest first. The same sentences come again and again, above all in an outage, and a
 * lookup costs a hundredth of a search. Texts that were removed are never stored.
 */
const passed = new Set<string>();
const MAX_PASSED_TEXTS = 512;
const MAX_PASSED_LENGTH = 500;

/** The id of the first rule that matches a text, as it is or without its escapes. Undefined if the text may be shown. */
export function findPattern(text: string, options?: { readonly allow?: readonly RuleGroup[] }): RuleId | undefined {
  if (passed.has(text)) return undefined;
  const head = text.slice(0, WINDOW);
  const plain = unescapeText(head);
  const allow = options?.allow;
  const match = firstMatch(head, allow) ?? (plain === head ? undefined : firstMatch(plain.slice(0, 2 * WINDOW), allow));
  if (match === undefined && allow === undefined && text.length <= MAX_PASSED_LENGTH) rememberPassed(text);
  return match;
}

function rememberPassed(text: string): void {
  passed.add(text);
  if (passed.size > MAX_PASSED_TEXTS) for (const oldest of passed) return void passed.delete(oldest);
}

function firstMatch(text: string, allow: readonly RuleGroup[] | undefined): RuleId | undefined {
  probes ??= createProbes();
  const { list, prefilter } = probes;
  const candidates = prefilter.candidates(text);
  for (let i = candidates.indexOf(1); i >= 0; i = candidates.indexOf(1, i + 1)) {
    const probe = list[i] as PatternProbe;
    if (!allow?.includes(probe.group) && probeMatches(probe, text)) return probe.id;
  }
  return undefined;
}

function probeMatches({ find, confirm }: PatternProbe, text: string): boolean {
  if (!confirm) return find.test(text);
  find.lastIndex = 0;
  for (let match = find.exec(text); match; match = find.exec(text)) if (confirm(match)) return true;
  return false;
}
