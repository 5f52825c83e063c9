// What an author never means to show: credentials of an unmistakable form, and the tokens of chat templates. Ids, hosts,
// paths, names and addresses are the author's choice.

import { BASIC_BOOK, type CutRule, type RuleText } from "./rule.ts";
import unmistakable from "./unmistakable.json" with { type: "json" };

/** The rules of unmistakable forms, as data. */
export const UNMISTAKABLE_TEXTS: readonly RuleText[] = unmistakable as RuleText[];

/** The rules of unmistakable forms. */
export const UNMISTAKABLE: readonly CutRule[] = /* @__PURE__ */ BASIC_BOOK.rules(UNMISTAKABLE_TEXTS);
