import type { IssueRule } from "@recourse/faults";
import { expect, test } from "vitest";
import { invalidArguments } from "./failures.ts";

const at = (...rules: IssueRule[]) => rules.map((rule, n) => ({ pointer: `/items/${n}`, rule }));

test.each([
  [at("required", "required"), "core/missing_field"],
  [at("format"), "core/invalid_format"],
  [at("choice"), "core/validation_failed"],
  [at("required", "format"), "core/validation_failed"],
  [[], "core/validation_failed"],
])("%j is %s", (issues, reason) => {
  const { fault } = invalidArguments(issues);
  expect(fault).toMatchObject({ reason, kind: "invalid_input", effect: "none" });
  expect(fault.issues ?? []).toEqual(issues);
});
