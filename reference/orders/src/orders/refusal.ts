import { core, type FaultError, type Issue, type IssueRule } from "@recourse/faults";

/** The reason for arguments that all break the same rule; the rest are not valid in general. */
const REASONS: Partial<Readonly<Record<IssueRule, typeof core.missing_field | typeof core.invalid_format>>> = {
  required: core.missing_field,
  format: core.invalid_format,
};

/** Refuses arguments that have the right form, for what only the backend knows about them. */
export function refusalOf(issues: readonly Issue[], cause?: unknown): FaultError {
  const [first, ...rest] = issues;
  const isOneRule = first !== undefined && rest.every(({ rule }) => rule === first.rule);
  const reason = (isOneRule ? REASONS[first.rule] : undefined) ?? core.validation_failed;
  return reason({}, { issues, ...(cause !== undefined && { cause }) });
}
