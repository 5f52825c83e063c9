// REST APIs and adapters as MCP tools whose failures are right. Everything a user may rely on is listed here by name.

export { AdapterError, type AdapterErrorOptions } from "./adapters/adapter-error.ts";
export type { Clock } from "./adapters/clock.ts";
export { type Adapter, type AdapterType, defineAdapter } from "./adapters/define-adapter.ts";
export type { BackendStatus } from "./adapters/health.ts";
export type { AdapterHealth } from "./adapters/keeper.ts";
export type { AdapterLimits, AdapterOptions } from "./adapters/options.ts";
export type {
  AdapterSpec,
  ArgumentsOf,
  CallContext,
  FaultSpec,
  FaultSpecs,
  Lifecycle,
  ToolAnnotations,
  ToolSpec,
} from "./adapters/spec.ts";
export type { ErrorReason, ErrorStatus, Errors } from "./answer/errors.ts";
export type { TextMode } from "./answer/reply-fault.ts";
export type { CallResult, ContentBlock } from "./answer/result.ts";
export type { Alert, AlertSink, Severity } from "./api/alerts.ts";
export type { Outcome } from "./api/call.ts";
export { DocumentError } from "./api/document-from.ts";
export type { CallOptions, OpenapiOptions, OperationOptions } from "./api/options.ts";
export type { BridgeReport } from "./api/tool-parts.ts";
export type { Tool } from "./api/tools.ts";
export { apiKey, type KeyPlace } from "./credentials/api-key.ts";
export { basic } from "./credentials/basic.ts";
export { bearer } from "./credentials/bearer.ts";
export type { Credentials } from "./credentials/choose.ts";
export { clientCredentials } from "./credentials/client-credentials.ts";
export type { Credential } from "./credentials/credential.ts";
export { forward } from "./credentials/forward.ts";
export type { ClientCredentialsOptions } from "./credentials/token-request.ts";
export type { DocumentSource } from "./document/load.ts";
export type { JsonSchema } from "./document/schema/walk.ts";
export type { AllowPrivate } from "./network/addresses.ts";
export type { NetworkOptions } from "./network/limits.ts";
export type { Resolve } from "./network/lookup.ts";
export { type Bridge, openapi } from "./openapi.ts";
export type { Annotations, Operation } from "./operations/operation.ts";
