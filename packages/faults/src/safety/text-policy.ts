import type { FilterOptions } from "./filter-line.ts";

/** Decides which texts may be shown, by who wrote them and which way they travel. */
export interface TextPolicy {
  /** The id of the rule that forbids to show a name or a value. Undefined if it may be shown. */
  ruleForValue(text: string, options: FilterOptions): string | undefined;
  /** The id of the rule that forbids to show a quotation. Undefined if it may be shown. */
  ruleForQuote(text: string, options: FilterOptions): string | undefined;
  /** The id of the rule that forbids to show a web address. @default every address may be shown */
  ruleForLink?(link: string, options: FilterOptions): string | undefined;
}

/** For texts that were checked when they were taken over: only secrets are looked for. */
export const CHECKED_TEXT: TextPolicy = { ruleForValue: none, ruleForQuote: none };

function none(): undefined {}

/** The options with this policy, unless they name another. */
export function withPolicy<O extends FilterOptions>(options: O, textPolicy: TextPolicy): O {
  return options.textPolicy === undefined ? { ...options, textPolicy } : options;
}
