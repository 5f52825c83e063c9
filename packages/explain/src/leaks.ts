import type { RuleGroup } from "@recourse/core";
import { cutText, findCuts, installTextFilter, MAX_CUT_TEXT } from "@recourse/core/safety";

/** What a text gives away, by the group of the rule that finds it. */
const LEAKS = {
  credential: "a credential",
  database: "a statement of a database",
  host: "a host of the inner network",
  hostile: "tokens of a chat template",
  path: "a path of the server's machine",
  personal: "personal data",
  provider: "a resource of a provider",
  url: "an internal address",
} as const satisfies Record<RuleGroup, string>;

/** Rules may match more than the groups name, such as a text that is too long to check. */
const OTHER_LEAK = "something internal";

/**
 * What a text gives away, in a few words. Undefined if a guarded server would send it as it is.
 *
 * @example
 * leakIn("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5"); // "a credential"
 */
export function leakIn(text: string): string | undefined {
  installTextFilter();
  const { rule } = cutText(text);
  return rule === undefined ? undefined : leakOf(rule);
}

function leakOf(rule: string): string {
  const group = rule.slice(0, rule.indexOf("."));
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

/**
 * The parts of a text that a guarded server cuts out of it, in order and without overlaps. The first 16,384 characters are
 * searched.
 *
 * @example
 * const [part] = findLeakedParts("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5");
 * console.log(part?.start, part?.leaks); // 21 [ "a credential", … ]
 */
export function findLeakedParts(text: string): readonly LeakedPart[] {
  installTextFilter();
  const parts: { start: number; end: number; leaks: string[] }[] = [];
  const found = findCuts(text.slice(0, MAX_CUT_TEXT), {});
  for (const { start, end, rule } of found.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const leak = leakOf(rule);
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
