// What the codes of Zod say: issues of a fault have some of them.

import type { IssueCode, IssueRule } from "./fault.ts";

/** The rule of each Zod code: first the codes of version 4, then those that only version 3 has. */
export const ZOD_RULES: Readonly<Record<string, IssueRule>> = {
  invalid_type: "type",
  invalid_format: "format",
  invalid_value: "choice",
  invalid_union: "type",
  invalid_key: "custom",
  invalid_element: "custom",
  too_small: "range",
  too_big: "range",
  not_multiple_of: "range",
  unrecognized_keys: "unknown",
  custom: "custom",
  invalid_string: "format",
  invalid_date: "format",
  invalid_enum_value: "choice",
  invalid_literal: "choice",
  invalid_union_discriminator: "choice",
  invalid_intersection_types: "type",
  invalid_arguments: "custom",
  invalid_return_type: "custom",
  not_finite: "range",
};

/** Types whose bound is a length. */
export const MEASURED_TYPES: readonly string[] = ["string", "array", "set", "map", "file"];

/** The codes that say of each rule how it was broken. */
const RULE_CODES: Readonly<Record<IssueRule, readonly IssueCode[]>> = {
  required: ["invalid_union", "invalid_value"],
  type: ["invalid_union"],
  format: [],
  range: ["too_small", "too_big", "not_multiple_of"],
  length: ["too_small", "too_big"],
  choice: ["invalid_union"],
  unknown: [],
  duplicate: [],
  custom: [],
};

/** The code, if it says how this rule was broken. */
export function ruleCode(rule: IssueRule, code: unknown): IssueCode | undefined {
  return RULE_CODES[rule].find((one) => one === code);
}
