import type { Issue, IssueRule } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";

/** What the validator's types say about an argument; families are told by their ending. */
const RULES: Readonly<Record<string, IssueRule>> = {
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
const ENDINGS: readonly (readonly [string, IssueRule])[] = [
  ["_type", "type"],
  ["_parsing", "type"],
  ["_from_float", "type"],
  ["_format", "format"],
];

/** Types whose sentence an author wrote, who may have put the value into it. */
const AUTHORED = ["value_error", "assertion_error"];
const PROBLEM = /^ {2}([^\n]{1,400}?) \[type=([a-z_]{1,60})[,\]]/;
const MOST_LINES = 400;

/** The problems in a validator's text: a line with the path, and one that says what is wrong there. */
export function pydanticIssues(text: string): Issue[] {
  const issues: Issue[] = [];
  const lines = text.split("\n", MOST_LINES);
  for (let at = 1; at < lines.length; at++) {
    const found = PROBLEM.exec(lines[at] as string);
    const path = lines[at - 1] as string;
    if (found === null || path === "" || path.startsWith(" ")) continue;
    const [, says = "", type = ""] = found;
    issues.push({
      pointer: toPointer(path.split(".")),
      rule: ruleOf(type),
      ...(!AUTHORED.includes(type) && { expected: says }),
    });
  }
  return issues;
}

function ruleOf(type: string): IssueRule {
  const own = Object.hasOwn(RULES, type) ? RULES[type] : undefined;
  return own ?? ENDINGS.find(([ending]) => type.endsWith(ending))?.[1] ?? "custom";
}

/** The text without the values that it repeats, and without the links to the validator's manual. */
export function withoutValues(text: string): string {
  return text
    .split("\n", MOST_LINES)
    .filter((line) => !line.startsWith("    For further information visit "))
    .map((line) => {
      const value = line.indexOf(", input_value=");
      return value < 0 ? line : `${line.slice(0, value)}]`;
    })
    .join("\n");
}
