/** The groups of rules. You can allow a group that is the subject of your server. */
export const RULE_GROUPS = [
  "code",
  "credential",
  "database",
  "hostile",
  "host",
  "id",
  "markup",
  "path",
  "personal",
  "provider",
  "system",
  "url",
] as const;
/** One group of rules. */
export type RuleGroup = (typeof RULE_GROUPS)[number];

/** A pattern that foreign text must not match. */
export interface PatternRule {
  /** The group of the rule and its name. */
  readonly id: `${RuleGroup}.${string}`;
  readonly find: RegExp;
  /** Decides on one match, where the pattern alone is not enough. `find` has to be global then. */
  readonly confirm?: (match: RegExpExecArray) => boolean;
}
