import { installFinder } from "./full-filter.ts";
import { findPattern } from "./pattern-filter.ts";
import { ruleForLink } from "./received-text.ts";
import type { TextPolicy } from "./text-policy.ts";

/** For texts of other programs that leave this one: all rules are applied to all of them. */
export const FOREIGN_TEXT: TextPolicy = { ruleForValue: findPattern, ruleForQuote: findPattern, ruleForLink };

/**
 * Makes the pattern filter available to reasons and `fail`, for values that read like a sentence and for quotations, which
 * are hidden without it. A guarded server and `toFault` install it themselves.
 *
 * @example
 * installTextFilter();
 * const { fault } = core.conflict({}, { quote: { text: reply.detail, from: "upstream" } });
 */
export function installTextFilter(): void {
  installFinder(findPattern);
}
