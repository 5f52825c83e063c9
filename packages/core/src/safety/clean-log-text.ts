import { cutText, MAX_CUT_TEXT } from "./cut-text.ts";
import { RULE_GROUPS, type RuleGroup } from "./rules/rule.ts";
import type { SecretFilter } from "./secrets.ts";

/** How a text is cleaned. */
export interface CleanLogTextOptions {
  /** The secrets of the request. Those of the process are always looked for. @default none */
  readonly secrets?: SecretFilter | undefined;
  /**
   * Groups of rules whose matches are cut out. They have to be loaded with `installTextFilter`.
   * @default credentials of an unmistakable form
   */
  readonly hide?: readonly RuleGroup[] | undefined;
  /** The most characters that are shown. @default 16_384 */
  readonly max?: number | undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they could move the cursor of the operator's terminal.
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g;

/**
 * A text that an operator may read: registered secrets, those of the request, and credentials of an unmistakable form are
 * cut out of it, and nothing else. Lines stay lines; other control characters become spaces.
 */
export function cleanLogText(text: string, { secrets, hide, max = MAX_CUT_TEXT }: CleanLogTextOptions = {}): string {
  // Without its control characters, a text may contain a secret that it did not contain before.
  const plain = text.slice(0, 2 * MAX_CUT_TEXT).replaceAll(CONTROL_CHARACTERS, " ");
  const rules =
    hide === undefined
      ? ({ scope: "credentials", allow: HARMLESS_IN_LOGS } as const)
      : ({ scope: "everything", allow: RULE_GROUPS.filter((group) => !hide.includes(group)) } as const);
  return cutText(plain, { ...rules, secrets, keepFrames: true }).text.slice(0, max);
}

/** Tokens of chat templates do nothing to an operator. */
const HARMLESS_IN_LOGS: readonly RuleGroup[] = ["hostile"];
