import { type FilterOptions, type TextPolicy, withPolicy } from "./filter-line.ts";
import { findOnce, hasPassed, mayRead, TOO_MUCH } from "./filter-work.ts";
import { unescapeText } from "./layers.ts";
import { AUTHORED_RULES } from "./rules/authored.ts";
import { MODEL_RULES } from "./rules/instructions.ts";
import { firstRuleIn } from "./rules/rule.ts";

/**
 * For texts that a server sent to this program. They have left that server already, so only instructions aimed at a model
 * are refused.
 */
export const RECEIVED_TEXT: TextPolicy = {
  // A value stands in a sentence of this library, so it may not be what an author would not show there either.
  ruleForValue: (text, options) => ruleForModel(text, options) ?? ruleForCredentials(text, options),
  ruleForQuote: ruleForModel,
  ruleForLink,
};

/** What separates words in a web address. */
const LINK_SEPARATORS = /[-_+/?&=.#~:;,]+/g;

/** An address is read by models too, so it may not spell an instruction. Ids and hosts are what addresses consist of. */
export function ruleForLink(link: string, options: FilterOptions): string | undefined {
  return ruleForModel(link, options) ?? ruleForModel(unescapeText(link).replaceAll(LINK_SEPARATORS, " "), options);
}

function ruleForCredentials(text: string, { allow }: FilterOptions): string | undefined {
  return findOnce(allow === undefined ? AUTHORED_RULES : undefined, text, () =>
    mayRead(text.length, "credentials") ? firstRuleIn(AUTHORED_RULES, text, allow) : TOO_MUCH,
  );
}

function ruleForModel(text: string, { allow }: FilterOptions): string | undefined {
  return findOnce(allow === undefined ? MODEL_RULES : undefined, text, () => instructionIn(text, allow));
}

function instructionIn(text: string, allow: FilterOptions["allow"]): string | undefined {
  if (!mayRead(text.length, "instructions")) return TOO_MUCH;
  // All rules for models are among those of the full filter.
  if (hasPassed(text)) return undefined;
  const plain = unescapeText(text);
  if (plain !== text && !mayRead(plain.length, "instructions")) return TOO_MUCH;
  return firstRuleIn(MODEL_RULES, text, allow) ?? (plain === text ? undefined : firstRuleIn(MODEL_RULES, plain, allow));
}

/** The options of a reader: texts are the sender's unless another policy is given. */
export function asReceived<O extends FilterOptions>(options: O): O {
  return withPolicy(options, RECEIVED_TEXT);
}
