import { withoutOwnIds } from "../own-ids.ts";
import type { PatternRule, RuleGroup } from "./rule.ts";

/**
 * The id of the first rule of a short list that matches a text, without the groups that are allowed. Long lists need the
 * search of the pattern filter.
 */
export function firstRuleIn(
  rules: readonly PatternRule[],
  text: string,
  allow: readonly RuleGroup[] = [],
): string | undefined {
  const plain = withoutOwnIds(text);
  return rules.find((rule) => !allow.some((group) => rule.id.startsWith(`${group}.`)) && matches(rule, plain))?.id;
}

function matches({ find, confirm }: PatternRule, text: string): boolean {
  if (confirm === undefined) return find.test(text);
  for (const match of text.matchAll(find)) if (confirm(match)) return true;
  return false;
}
