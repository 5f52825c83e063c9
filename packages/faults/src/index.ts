// The public face: the model, the reasons and render. Everything a user may rely on is listed here by name.

export type { Details } from "./fault/build.ts";
export { FaultError } from "./fault/error.ts";
export type {
  Basis,
  Fault,
  Issue,
  IssueRule,
  Limit,
  Origin,
  Param,
  Quote,
  Recourse,
  RetryWord,
  Tried,
} from "./fault/fault.ts";
export { formatId } from "./fault/id.ts";
export type { Actor, Effect, FaultClass, Kind, KindRow, Move, Repeat, StatedKind } from "./fault/kinds.ts";
export { classOf, KINDS, knownKind } from "./fault/kinds.ts";
export { nearest } from "./fault/nearest.ts";
export { isFault, readFault } from "./fault/read.ts";
export type { Stamps } from "./fault/stamp.ts";
export { stamp } from "./fault/stamp.ts";
export { unknownKey } from "./fault/unknown-key.ts";
export { withhold } from "./fault/withhold.ts";
export type { AnyReason, ParamsOf, Reason, ReasonSpec } from "./reasons/define.ts";
export { defineReason, defineReasons } from "./reasons/define.ts";
export type { Fail, FailTag, FailValue } from "./reasons/fail.ts";
export { fail } from "./reasons/fail.ts";
export * as adapter from "./reasons/library/adapter.ts";
export * as auth from "./reasons/library/auth.ts";
export * as completion from "./reasons/library/completion.ts";
export * as content from "./reasons/library/content.ts";
export * as core from "./reasons/library/core.ts";
export * as elicitation from "./reasons/library/elicitation.ts";
export * as idempotency from "./reasons/library/idempotency.ts";
export * as notification from "./reasons/library/notification.ts";
export * as pagination from "./reasons/library/pagination.ts";
export * as progress from "./reasons/library/progress.ts";
export * as prompt from "./reasons/library/prompt.ts";
export * as protocol from "./reasons/library/protocol.ts";
export * as resource from "./reasons/library/resource.ts";
export * as rest from "./reasons/library/rest.ts";
export * as sampling from "./reasons/library/sampling.ts";
export * as task from "./reasons/library/task.ts";
export * as tool from "./reasons/library/tool.ts";
export * as transport from "./reasons/library/transport.ts";
export * as slot from "./reasons/slot.ts";
export type { Slot } from "./reasons/slot-type.ts";
export type { Rest } from "./reasons/sparing.ts";
export type { ToFaultOptions } from "./reasons/unknown/to-fault.ts";
export { toFault } from "./reasons/unknown/to-fault.ts";
export type { Reader } from "./render/render.ts";
export { render } from "./render/render.ts";
export { withheldCounts } from "./safety/counts.ts";
export type { Nets } from "./safety/nets.ts";
export { protect } from "./safety/register.ts";
export type { SecretFilter } from "./safety/secrets.ts";
export { createSecretFilter } from "./safety/secrets.ts";
export type { RuleGroup } from "./safety/tripwire.ts";
