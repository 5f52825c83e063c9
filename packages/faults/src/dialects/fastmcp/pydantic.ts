import type { Issue, IssueRule } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";

/** The rule of each Pydantic error type. */
const PYDANTIC_RULES: Readonly<Record<string, IssueRule>> = {
  missing: "required",
  missing_argument: "required",
  missing_keyword_only_argument: "required",
  missing_positional_only_argument: "required",
  extra_forbidden: "unknown",
  unexpected_keyword_argument: "unknown",
  literal_error: "choice",
  enum: "choice",
  string_pattern_mismatch: "format",
  greater_than: "range",
  greater_than_equal: "range",
  less_than: "range",
  less_than_equal: "range",
  multiple_of: "range",
  too_long: "length",
  too_short: "length",
  string_too_long: "length",
  string_too_short: "length",
};
/** The rule of families of error types, by their suffix. */
const PYDANTIC_SUFFIXES: readonly (readonly [string, IssueRule])[] = [
  ["_type", "type"],
  ["_parsing", "type"],
  ["_from_float", "type"],
  ["_format", "format"],
];

/** Error types whose message a tool's author wrote, possibly with the received value in it. */
const AUTHORED_TYPES = ["value_error", "assertion_error"];
const PROBLEM_LINE = /^ {2}([^\n]{1,400}?) \[type=([a-z_]{1,60})[,\]]/;
const MAX_TEXT_LINES = 400;

/** Reads the issues in Pydantic's text: one line with the path, followed by a line with the problem. */
export function pydanticIssues(text: string): Issue[] {
  const issues: Issue[] = [];
  const lines = text.split("\n", MAX_TEXT_LINES);
  for (let at = 1; at < lines.length; at++) {
    const found = PROBLEM_LINE.exec(lines[at] as string);
    const path = lines[at - 1] as string;
    if (found === null || path === "" || path.startsWith(" ")) continue;
    const [, message = "", type = ""] = found;
    issues.push({
      pointer: toPointer(path.split(".")),
      rule: pydanticRuleOf(type),
      ...(!AUTHORED_TYPES.includes(type) && { expected: message }),
    });
  }
  return issues;
}

function pydanticRuleOf(type: string): IssueRule {
  const own = Object.hasOwn(PYDANTIC_RULES, type) ? PYDANTIC_RULES[type] : undefined;
  return own ?? PYDANTIC_SUFFIXES.find(([ending]) => type.endsWith(ending))?.[1] ?? "custom";
}

/** Removes the received values and the links to Pydantic's documentation from its text. */
export function withoutInputValues(text: string): string {
  return text
    .split("\n", MAX_TEXT_LINES)
    .filter((line) => !line.startsWith("    For further information visit "))
    .map((line) => {
      const value = line.indexOf(", input_value=");
      return value < 0 ? line : `${line.slice(0, value)}]`;
    })
    .join("\n");
}
