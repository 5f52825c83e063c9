// The main entry point: faults, reasons and rendering. Every public name is listed here.

export { formatId } from "@recourse/wire";
export type { SystemFailure, SystemFault } from "./errors/system-codes.ts";
export { readSystemFault } from "./errors/system-codes.ts";
export type { AmendOptions, FaultChanges, Stamps } from "./fault/amend.ts";
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
  REASON_NAME,
  STOPS,
} from "./fault/fault.ts";
export type { Actor, Effect, FaultClass, Kind, KindRow, Move, RetryCondition, StatedKind } from "./fault/kinds.ts";
export { classOf, EFFECTS, KINDS, knownKind, MOVES } from "./fault/kinds.ts";
export { isEffectAssumed } from "./fault/provenance.ts";
export { isFault, readFault } from "./fault/read-fault.ts";
export type { ShouldReportOptions } from "./fault/severity.ts";
export { shouldReport } from "./fault/severity.ts";
export { nearestNames, unknownKeyIssue } from "./fault/suggestions.ts";
export type { ReasonOptions } from "./reasons/build-safely.ts";
export { defineReason, defineReasons } from "./reasons/define.ts";
export type { Fail, FailTag, FailValue } from "./reasons/fail.ts";
export { fail } from "./reasons/fail.ts";
export type { LibraryReason } from "./reasons/library/by-id.ts";
export { LIBRARY_REASONS, libraryReason } from "./reasons/library/by-id.ts";
export {
  adapter,
  auth,
  completion,
  content,
  core,
  elicitation,
  idempotency,
  notification,
  pagination,
  progress,
  prompt,
  protocol,
  resource,
  rest,
  sampling,
  task,
  tool,
  transport,
} from "./reasons/library/domains.ts";
export * as slot from "./reasons/slot.ts";
export type { ForeignText, ToFaultOptions } from "./reasons/thrown/to-fault.ts";
export { toFault } from "./reasons/thrown/to-fault.ts";
export type { AnyReason, ParamsOf, Reason, ReasonSpec, Slot } from "./reasons/types.ts";
export type { Audience, RenderOptions } from "./render/render.ts";
export { render } from "./render/render.ts";
export { installTextFilter } from "./safety/full-search.ts";
export type { RuleGroup } from "./safety/rules/rule.ts";
export type { SecretFilter } from "./safety/secrets.ts";
export { createSecretFilter, MIN_SECRET_LENGTH, registerSecrets } from "./safety/secrets.ts";
export type { FilterOptions, TextPolicy } from "./safety/show-line.ts";
export { redactionCounts } from "./safety/show-line.ts";
