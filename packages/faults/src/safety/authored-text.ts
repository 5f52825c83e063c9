import { ruleOfFullFilter } from "./full-filter.ts";
import { AUTHORED_RULES } from "./rules/authored-rules.ts";
import { firstRuleIn } from "./rules/first-rule.ts";
import { readsLikeText } from "./rules/reads-like-text.ts";
import type { TextPolicy } from "./text-policy.ts";

/**
 * For values that an author chose to show. Names, ids, hosts and paths are the author's choice, so only unmistakable
 * credentials and marks of chat templates are refused. A value that reads like a sentence, an error or a dump was probably
 * written by another program, so it passes the full filter, as quotations do.
 */
export const AUTHORED_TEXT: TextPolicy = {
  ruleForValue: (text, options) =>
    firstRuleIn(AUTHORED_RULES, text, options.allow) ??
    (readsLikeText(text) ? ruleOfFullFilter(text, options) : undefined),
  ruleForQuote: ruleOfFullFilter,
};
