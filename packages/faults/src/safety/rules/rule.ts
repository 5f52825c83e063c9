/** What a rule is about; an author may excuse a group where it is the subject of the server. */
export type RuleGroup =
  | "code"
  | "credential"
  | "database"
  | "hostile"
  | "host"
  | "id"
  | "markup"
  | "path"
  | "personal"
  | "provider"
  | "system"
  | "url";

/** One thing that must not be shown: a pattern, and where a pattern is not enough, a judge of its matches. */
export interface Rule {
  readonly id: string;
  readonly group: RuleGroup;
  readonly find: RegExp;
  /** Tells whether a match really is what the rule is about; `find` must then be global. */
  readonly judge?: (match: RegExpExecArray) => boolean;
}
