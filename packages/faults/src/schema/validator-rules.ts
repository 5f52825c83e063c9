import type { IssueCode, IssueRule } from "../fault/fault.ts";
import { toPointer } from "../fault/pointer.ts";
import { own, ownString } from "./read.ts";
import { pathsIn, reportedIssues } from "./validator-paths.ts";

/** The rule that a validator says was broken, and how. */
export interface ReportedRule {
  readonly rule: IssueRule;
  readonly code?: IssueCode;
}

/** Types whose bound is a length. */
const MEASURED = ["string", "array", "set", "map", "file"];

/**
 * What the codes of Zod 3 and 4 say of an argument. A wrong type is not among them: where the published schema allows the
 * value, the type is wrong only after the tool's own conversion, and "wrong type" would mislead the caller.
 */
const RULES: Readonly<Record<string, ReportedRule>> = {
  too_small: { rule: "range", code: "too_small" },
  too_big: { rule: "range", code: "too_big" },
  not_multiple_of: { rule: "range", code: "not_multiple_of" },
  invalid_format: { rule: "format" },
  invalid_string: { rule: "format" },
  invalid_value: { rule: "choice" },
  invalid_enum_value: { rule: "choice" },
  invalid_literal: { rule: "choice" },
};

/** The rules that a validator says were broken, by the pointer of the argument: the first of each. Its sentences are not read. */
export function validatorRules(issues: unknown): ReadonlyMap<string, ReportedRule> {
  const rules = new Map<string, ReportedRule>();
  for (const issue of reportedIssues(issues)) {
    const code = ownString(issue, "code") ?? "";
    const known = Object.hasOwn(RULES, code) ? RULES[code] : undefined;
    const origin = own(issue, "origin") ?? own(issue, "type");
    const isLength = code.startsWith("too_") && MEASURED.some((one) => one === origin);
    if (known === undefined) continue;
    for (const path of pathsIn(issue)) {
      const pointer = toPointer(path);
      if (!rules.has(pointer)) rules.set(pointer, isLength ? { ...known, rule: "length" } : known);
    }
  }
  return rules;
}
