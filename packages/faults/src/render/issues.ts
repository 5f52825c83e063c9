import type { Fault, Issue, IssueRule } from "../fault/fault.ts";

const SAID = {
  required: "is required",
  type: "has the wrong type",
  format: "has the wrong format",
  range: "is out of range",
  length: "has the wrong length",
  choice: "is not one of the choices",
  unknown: "has an argument that does not exist",
  duplicate: "is given twice",
  custom: "is not accepted",
} as const satisfies Record<IssueRule, string>;

/** One line for each problem with an argument. */
export function sayIssues(fault: Fault): string[] {
  return (fault.issues ?? []).map(sayIssue);
}

function sayIssue(issue: Issue): string {
  const where = issue.pointer === "" ? "the call" : issue.pointer;
  const expected = issue.expected === undefined ? "" : `; expected ${issue.expected}`;
  const suggestion = issue.suggestion === undefined ? "" : `; did you mean "${issue.suggestion.replaceAll('"', "'")}"?`;
  return `- ${where} ${SAID[issue.rule]}${expected}${suggestion}`;
}
