import { FOREIGN_TEXT, type RuleGroup } from "@recourse/faults";

/** What a text gives away, by the group of the rule that finds it. */
const LEAKS = {
  code: "code or a stack trace",
  credential: "a credential",
  database: "a statement or the names of a database",
  hostile: "an instruction to the model, or hidden characters",
  host: "a host of the inner network",
  id: "an internal id",
  markup: "a page instead of a sentence",
  path: "a path of the server's machine",
  personal: "personal data",
  provider: "an internal text of a provider",
  system: "an error text of the system",
  url: "an internal address",
} as const satisfies Record<RuleGroup, string>;

/** What a text that a server sent gives away. Undefined if a guarded server would have sent it too. */
export function leakIn(text: string): string | undefined {
  const rule = FOREIGN_TEXT.ruleForQuote(text, {});
  if (rule === undefined) return undefined;
  const [group = ""] = rule.split(".");
  return Object.hasOwn(LEAKS, group) ? LEAKS[group as RuleGroup] : "something internal";
}
