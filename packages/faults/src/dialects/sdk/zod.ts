import type { Issue, IssueRule } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";
import { arrayAt, isJson, parseJson, stringAt } from "../wire.ts";

/** What the codes of the SDK's validator say about an argument. */
const RULES: Readonly<Record<string, IssueRule>> = {
  invalid_type: "type",
  invalid_format: "format",
  invalid_string: "format",
  invalid_date: "format",
  too_small: "range",
  too_big: "range",
  not_multiple_of: "range",
  invalid_value: "choice",
  invalid_literal: "choice",
  invalid_enum_value: "choice",
  unrecognized_keys: "unknown",
};

/** What a path begins with, before the arguments themselves. */
const ENVELOPE = ["params", "arguments"];

/** The problems in the validator's JSON, wherever in the text it begins. */
export function zodIssues(text: string): Issue[] {
  const list = parseJson(text.slice(Math.max(0, text.indexOf("["))));
  return (Array.isArray(list) ? list : []).filter(isJson).map((problem) => {
    const path = arrayAt(problem, "path").filter((key) => typeof key === "string" || typeof key === "number");
    const code = stringAt(problem, "code") ?? "";
    const missing = stringAt(problem, "message")?.endsWith("received undefined") === true;
    const rule = (Object.hasOwn(RULES, code) ? RULES[code] : undefined) ?? "custom";
    const expected = stringAt(problem, "expected");
    return {
      pointer: toPointer(path.filter((key, index) => key !== ENVELOPE[index])),
      rule: missing ? "required" : rule,
      ...(expected !== undefined && { expected }),
    };
  });
}
