import type { RuleGroup } from "@recourse/core";
import { cleanLogText, installTextFilter } from "@recourse/core/safety";
import { CALL_RULES, MESSAGE_RULES, MODEL_API_RULES, WRAPPER_RULES } from "./call-rules.ts";
import { SERVER_REPLY_RULES } from "./http-rules.ts";
import { CALL_LANGUAGE_RULES, SYSTEM_LANGUAGE_RULES } from "./language-rules.ts";
import { LOST_RULES, NETWORK_RULES } from "./network-rules.ts";
import { EXIT_RULES, PROGRAM_RULES } from "./program-rules.ts";
import { type CauseWords, firstGroup, type Groups, type PasteRule } from "./rule.ts";
import { SIGN_IN_RULES } from "./sign-in-rules.ts";

/** Rules that say more than an HTTP status. The first that matches counts: a text holds the cause and its wrappers. */
const TELLING_RULES = {
  ...MODEL_API_RULES,
  ...MESSAGE_RULES,
  ...PROGRAM_RULES,
  ...SYSTEM_LANGUAGE_RULES,
  ...NETWORK_RULES,
  ...SIGN_IN_RULES,
  ...SERVER_REPLY_RULES,
} as const satisfies Record<string, PasteRule>;

/** Rules that say less than an HTTP status, the wrappers last. */
const GENERAL_RULES = {
  ...CALL_RULES,
  ...CALL_LANGUAGE_RULES,
  ...LOST_RULES,
  ...EXIT_RULES,
  ...WRAPPER_RULES,
} as const satisfies Record<string, PasteRule>;

/** The name of a rule. */
export type PasteRuleId = keyof typeof TELLING_RULES | keyof typeof GENERAL_RULES;

/** All rules by their names, in the order in which they are tried. */
export const TEXT_RULES: Readonly<Record<PasteRuleId, PasteRule>> = { ...TELLING_RULES, ...GENERAL_RULES };

const STAGES = {
  telling: Object.keys(TELLING_RULES) as PasteRuleId[],
  general: Object.keys(GENERAL_RULES) as PasteRuleId[],
} as const;

export interface RuleMatchInText {
  readonly id: PasteRuleId;
  readonly rule: PasteRule;
  /** What the failure means because a tool wrote the text. @default none: it is about the server itself */
  readonly inTool?: PasteRule["inTool"];
  readonly groups: Groups;
  /** Where the match begins. */
  readonly index: number;
  readonly length: number;
}

/** The first rule of a stage that matches. In the text of a tool, rules about the connection do not count. */
export function matchRule(
  text: string,
  { isTool, stage }: { readonly isTool: boolean; readonly stage: keyof typeof STAGES },
): RuleMatchInText | undefined {
  for (const id of STAGES[stage]) {
    const rule = TEXT_RULES[id];
    if (isTool && rule.inTool === undefined) continue;
    const match = tryRule(text, id);
    if (match !== undefined) return { ...match, ...(isTool && { inTool: rule.inTool }) };
  }
  return undefined;
}

function tryRule(text: string, id: PasteRuleId): RuleMatchInText | undefined {
  const rule = TEXT_RULES[id];
  const match = rule.pattern.exec(text);
  if (match === null || rule.unless?.test(text) === true) return undefined;
  const groups = match.slice(1).map((group: string | undefined) => group && cleanWord(group));
  return { id, rule, groups, index: match.index, length: match[0].length };
}

/** A form of the table that a text has. */
export interface FailureForm {
  /** The line that has it. */
  readonly line: string;
  /** What the line names, such as a package or a port, without secrets. @default none */
  readonly named?: string;
  /** What the table says about it. @default the words of the cause */
  readonly words: CauseWords;
}

/** The forms that can be asked for by name. */
export type FailureFormId =
  | "command-not-found"
  | "command-not-found-words"
  | "env-interpreter"
  | "missing-module"
  | "missing-script"
  | "native-part"
  | "npx-question"
  | "package-not-found"
  | "port-in-use"
  | "registry-unreachable";

/** One form of failure in the text of a program, for readers that know what else happened. Undefined if the text has it not. */
export function findFailureForm(text: string, id: FailureFormId): FailureForm | undefined {
  const match = tryRule(text, id);
  if (match === undefined) return undefined;
  const { rule, groups, index } = match;
  const end = text.indexOf("\n", index);
  const line = text.slice(text.lastIndexOf("\n", index) + 1, end === -1 ? text.length : end).trim();
  const named = firstGroup(groups);
  return { line, ...(named !== undefined && { named }), words: rule.say?.(groups) ?? {} };
}

const HIDDEN: readonly RuleGroup[] = ["credential", "hostile", "personal"];

/** A text as one line that may be shown: without secrets, credentials and personal data. */
export function cleanWord(text: string, max = 120): string {
  installTextFilter();
  return cleanLogText(text, { hide: HIDDEN })
    .replace(/\s{1,200}/g, " ")
    .trim()
    .slice(0, max);
}
