// All rules about what is cut out of a text that somebody wrote for a caller.

import addresses from "./addresses.json" with { type: "json" };
import basic from "./basic.json" with { type: "json" };
import { VALUE_CHECKS } from "./checks.ts";
import credentials from "./credentials.json" with { type: "json" };
import database from "./database.json" with { type: "json" };
import labels from "./labels.json" with { type: "json" };
import personal from "./personal.json" with { type: "json" };
import { type BookParts, type CutRule, type KindName, RuleBook, type RuleText, type ValueKind } from "./rule.ts";
import shared from "./shared.json" with { type: "json" };
import { UNMISTAKABLE_TEXTS } from "./unmistakable.ts";

/** What all rules need besides their own text. */
export const BOOK_PARTS: BookParts & { readonly kinds: Readonly<Record<KindName, ValueKind>> } = {
  words: { ...basic.words, ...shared.words },
  kinds: { ...basic.kinds, ...(shared.kinds as Record<Exclude<KindName, "placeholder">, ValueKind>) },
  checks: VALUE_CHECKS,
};

/** What all rules need, with the patterns of this engine. */
export const BOOK: RuleBook = /* @__PURE__ */ new RuleBook(BOOK_PARTS);

/** Tells whether a value looks like a password or key, and not like a word in a sentence. */
export function looksSecret(value: string): boolean {
  return BOOK.isKind("secret", value);
}

/** All rules, as data. */
export const RULE_TEXTS: readonly RuleText[] = /* @__PURE__ */ [
  UNMISTAKABLE_TEXTS,
  credentials,
  labels,
  addresses,
  personal,
  database,
].flat() as RuleText[];

/** All rules whose matches are cut. */
export const CUT_RULES: readonly CutRule[] = /* @__PURE__ */ BOOK.rules(RULE_TEXTS);
