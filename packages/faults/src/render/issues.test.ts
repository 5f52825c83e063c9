import { expect, it } from "vitest";
import type { Issue } from "../fault/fault.ts";
import { invalid_arguments } from "../reasons/library/tool.ts";
import { sayIssues } from "./issues.ts";

const say = (issue: Issue) => sayIssues(invalid_arguments.fault({}, { issues: [issue] }));

it.each([
  ["required", "- /a is required"],
  ["type", "- /a has the wrong type"],
  ["format", "- /a has the wrong format"],
  ["range", "- /a is out of range"],
  ["length", "- /a has the wrong length"],
  ["choice", "- /a is not one of the choices"],
  ["unknown", "- /a has an argument that does not exist"],
  ["duplicate", "- /a is given twice"],
  ["custom", "- /a is not accepted"],
] as const)("an issue of rule %s reads: %s", (rule, line) => {
  expect(say({ pointer: "/a", rule })).toEqual([line]);
});

it("names the whole call where there is no pointer", () => {
  expect(say({ pointer: "", rule: "unknown" })).toEqual(["- the call has an argument that does not exist"]);
});

it("tells what was expected and what may have been meant", () => {
  expect(say({ pointer: "/a", rule: "type", expected: "a number" })).toEqual([
    "- /a has the wrong type; expected a number",
  ]);
  expect(say({ pointer: "/a", rule: "unknown", suggestion: 'the "b"' })).toEqual([
    `- /a has an argument that does not exist; did you mean "the 'b'"?`,
  ]);
  expect(say({ pointer: "/a", rule: "choice", expected: "red", suggestion: "red" })).toEqual([
    '- /a is not one of the choices; expected red; did you mean "red"?',
  ]);
});

it("gives one line for each, and none where there are none", () => {
  const issues = [
    { pointer: "/a", rule: "required" },
    { pointer: "/b", rule: "type" },
  ] as const;
  expect(sayIssues(invalid_arguments.fault({}, { issues }))).toEqual(["- /a is required", "- /b has the wrong type"]);
  expect(sayIssues(invalid_arguments.fault())).toEqual([]);
});
