import type { IssueRule } from "@recourse/faults";

/** What an argument does not satisfy; never the value itself. */
export interface Problem {
  readonly rule: IssueRule;
  readonly expected: string;
}

/** A part of a request, or why it cannot be made of what was given. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

/** A part that was made. */
export function made<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A part that cannot be made. */
export function refused(rule: IssueRule, expected: string): Result<never> {
  return { ok: false, problem: { rule, expected } };
}
