// What the codes of Zod say: issues of a fault have some of them.

import type { IssueCode, IssueRule } from "./fault.ts";

/** The Zod codes of each rule, those that only version 3 has included. */
const CODES_OF_RULE: Partial<Readonly<Record<IssueRule, string>>> = {
  type: "invalid_type invalid_union invalid_intersection_types",
  format: "invalid_format invalid_string invalid_date",
  choice: "invalid_value invalid_enum_value invalid_literal invalid_union_discriminator",
  custom: "invalid_key invalid_element custom invalid_arguments invalid_return_type",
  range: "too_small too_big not_multiple_of not_finite",
  unknown: "unrecognized_keys",
};

export const ZOD_RULES: Readonly<Record<string, IssueRule>> = /* @__PURE__ */ Object.fromEntries(
  Object.entries(CODES_OF_RULE).flatMap(([rule, codes]) => codes.split(" ").map((code) => [code, rule as IssueRule])),
);

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
