// The model: faults, reasons of your own, rendering, secrets.

export type { Stamps } from "./fault/amend.ts";
export { amendFault, redactSecrets, stampFault } from "./fault/amend.ts";
export type { FaultDetails } from "./fault/build.ts";
export { FaultError } from "./fault/error.ts";
export type {
  Basis,
  Fault,
  Issue,
  IssueCode,
  IssueRule,
  Limit,
  Origin,
  Param,
  Quote,
  Recourse,
  RetryAdvice,
  Tried,
} from "./fault/fault.ts";
export {
  AUTHORS,
  BACKOFFS,
  BASES,
  DOMAIN_NAME,
  FAULT_LIMITS,
  ISSUE_CODES,
  ISSUE_RULES,
  LAYERS,
  STOPS,
} from "./fault/fault.ts";
export type { Actor, Effect, FaultClass, Kind, KindRow, Move, RetryCondition, StatedKind } from "./fault/kinds.ts";
export { classOf, EFFECTS, isFaultClass, isKind, KINDS, knownKind, MOVES } from "./fault/kinds.ts";
export { isEffectAssumed } from "./fault/provenance.ts";
export { isFault, readFault } from "./fault/read.ts";
export type { ShouldReportOptions } from "./fault/severity.ts";
export { SEVERITIES, SEVERITY_BY_KIND, severityOf, shouldReport } from "./fault/severity.ts";
export { nearestNames, unknownKeyIssue } from "./fault/suggestions.ts";
export type { ReasonOptions } from "./reasons/build-safely.ts";
export { defineReason, defineReasons } from "./reasons/define.ts";
export type { Fail, FailTag, FailValue } from "./reasons/fail.ts";
export { fail } from "./reasons/fail.ts";
export { STATUS_MEANINGS } from "./reasons/http/statuses.ts";
export * as slot from "./reasons/slot.ts";
export type { AnyReason, AnySlot, ParamsOf, Reason, ReasonSpec, Slot } from "./reasons/types.ts";
export { inlineIssues, withIssues } from "./render/issues.ts";
export type { Audience, RenderOptions } from "./render/render.ts";
export { render } from "./render/render.ts";
export type { RuleGroup } from "./safety/rules/rule.ts";
export type { SecretFilter } from "./safety/secrets.ts";
export { createSecretFilter, MIN_SECRET_LENGTH, registerSecrets } from "./safety/secrets.ts";
export type { FilterOptions, TextPolicy } from "./safety/show-line.ts";
export { formatId } from "./wire/ids.ts";
