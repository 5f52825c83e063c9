// The server kit: one line guards a server of the official SDK.

export type { Severity } from "../fault/severity.ts";
export type { FailedAnswer, Incident, OperationSpan, Sink, Telemetry, TracedOperation } from "../incidents/incident.ts";
export { sinkFailures } from "../incidents/incident.ts";
export type { LoggerLike, StderrSinkOptions } from "../incidents/sinks.ts";
export { combineSinks, loggerSink, stderrSink } from "../incidents/sinks.ts";
export type { ForeignText, ToFaultOptions } from "../reasons/thrown/to-fault.ts";
export type { Clock, Random, TestingOptions } from "../wire/clock.ts";
export type { DeclaringTool, FailureTableOptions } from "./calls/declared-codes.ts";
export { declares } from "./calls/declares.ts";
export {
  checkArgumentsLater as checkArguments,
  failureTableLater as failureTable,
  redactedErrorLater as redactedError,
  toFaultLater as toFault,
} from "./first-failure.ts";
export { type GuardToolOptions, guard, guardStats, guardTool, isGuarded, type ToolFailure } from "./guard.ts";
export type { HandlerFunction, HandlerObject } from "./http/guard-handler.ts";
export { guardHandler } from "./http/guard-handler.ts";
export type {
  Authenticate,
  Authentication,
  AuthorizationRequest,
  Authorize,
  HandlerAuthOptions,
  HandlerBodyOptions,
  HandlerOptions,
} from "./http/options.ts";
export type { CallerName, CallerRequest, CallerRule } from "./idempotency/caller.ts";
export type {
  ExtendableIdempotencyStore,
  FoundIdempotencyState,
  IdempotencyClaim,
  IdempotencyState,
  IdempotencyStore,
  MemoryIdempotencyOptions,
  SearchableIdempotencyStore,
} from "./idempotency/store.ts";
export { memoryIdempotency } from "./idempotency/store.ts";
export { type EdgeErrorHandler, edgeErrorHandler, type NodeListener, toNodeListener } from "./node/listeners.ts";
export type { NodeRequest, NodeResponse, WrappedRequest, WrappedResponse } from "./node/web.ts";
export type { DeadlineTarget, GuardIdempotencyOptions, GuardOptions, GuardStats } from "./options.ts";
export type { StdinGuard, StdinOptions } from "./stdio/stdin.ts";
export { guardStdin } from "./stdio/stdin.ts";
export type { StdoutGuard, StdoutOptions } from "./stdio/stdout.ts";
export { guardStdout } from "./stdio/stdout.ts";
