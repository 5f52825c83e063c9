import type { PatternRule } from "../../src/safety/rules/rule.ts";

/** The id of the first rule that matches, with neither a prefilter nor a cache. */
export function firstRule(rules: readonly PatternRule[], text: string): string | undefined {
  return rules.find(({ find, confirm }) =>
    confirm ? [...text.matchAll(find)].some((match) => confirm(match)) : find.test(text),
  )?.id;
}
