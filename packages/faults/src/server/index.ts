// The server kit: one line guards a server of the official SDK.

export type { Severity } from "../fault/severity.ts";
export type { Incident, Sink } from "../incidents/incident.ts";
export { sinkFailures } from "../incidents/incident.ts";
export { redactedError } from "../incidents/redacted-error.ts";
export type { LoggerLike, StderrSinkOptions } from "../incidents/sinks.ts";
export { alertSink, combineSinks, loggerSink, stderrSink } from "../incidents/sinks.ts";
export type { FailedAnswer, OperationSpan, Telemetry, TracedOperation } from "../incidents/telemetry.ts";
export type { ForeignText } from "../reasons/thrown/to-fault.ts";
export { checkArguments } from "../schema/issues.ts";
export { declares } from "./calls/declares.ts";
export { type DeclaringTool, type FailureTableOptions, failureTable } from "./calls/failure-table.ts";
export { guard, guardStats, isGuarded } from "./guard.ts";
export { type GuardToolOptions, guardTool, type ToolFailure } from "./guard-tool.ts";
export type { HandlerFunction, HandlerObject } from "./http/guard-handler.ts";
export { guardHandler } from "./http/guard-handler.ts";
export type { Authenticate, Authentication, AuthorizationRequest, Authorize, HandlerOptions } from "./http/options.ts";
export type { CallerName, CallerRequest, CallerRule } from "./idempotency/caller.ts";
export type { MemoryIdempotencyOptions } from "./idempotency/memory.ts";
export { memoryIdempotency } from "./idempotency/memory.ts";
export type {
  FoundIdempotencyState,
  IdempotencyClaim,
  IdempotencyState,
  IdempotencyStore,
  SearchableIdempotencyStore,
} from "./idempotency/store.ts";
export { type EdgeErrorHandler, edgeErrorHandler } from "./node/edge-error-handler.ts";
export { type NodeListener, toNodeListener } from "./node/to-node-listener.ts";
export type { NodeRequest, NodeResponse, WrappedRequest, WrappedResponse } from "./node/types.ts";
export type { DeadlineTarget, GuardOptions, GuardStats } from "./options.ts";
export type { StdinGuard, StdinOptions } from "./stdio/stdin.ts";
export { guardStdin } from "./stdio/stdin.ts";
export type { StdoutGuard, StdoutOptions } from "./stdio/stdout.ts";
export { guardStdout } from "./stdio/stdout.ts";
