// The public API: REST APIs and adapters as MCP tools. Every exported name is listed here.

export { AdapterError, type AdapterErrorDetails, type AdapterErrorOptions } from "./adapters/adapter-error.ts";
export type { AdapterHealth } from "./adapters/backend-manager.ts";
export { type Adapter, type AdapterType, defineAdapter } from "./adapters/define-adapter.ts";
export { type AdapterFail, type FaultSpec, type FaultSpecs, failFor } from "./adapters/failures.ts";
export type { BackendStatus } from "./adapters/health.ts";
export type { AdapterLimits, AdapterOptions, Clock } from "./adapters/options.ts";
export type {
  AdapterSpec,
  ArgumentsOf,
  CallContext,
  Lifecycle,
  ToolAnnotations,
  ToolSpec,
} from "./adapters/spec.ts";
export type { Alert, AlertSeverity, AlertSink } from "./api/alerts.ts";
export type { CallOutcome } from "./api/call.ts";
export { DocumentError } from "./api/open-document.ts";
export type { CallOptions, OpenapiOptions, OperationOptions } from "./api/options.ts";
export type { BridgeReport, Tool } from "./api/tools.ts";
export type { Credentials } from "./credentials/choose.ts";
export type { ClientCredentialsOptions } from "./credentials/client-credentials.ts";
export { clientCredentials } from "./credentials/client-credentials.ts";
export type { Credential } from "./credentials/credential.ts";
export { type ApiKeyLocation, apiKey, basic, bearer, forward } from "./credentials/simple-credentials.ts";
export type { DocumentSource } from "./document/load.ts";
export type { JsonSchema } from "./document/schema/convert.ts";
export type { AllowPrivate, ResolveHostname } from "./network/addresses.ts";
export type { NetworkOptions } from "./network/limits.ts";
export { type Bridge, openapi } from "./openapi.ts";
export type { Annotations, Operation } from "./operations/operation.ts";
export type { ErrorReason, ErrorStatus, Errors, ForeignText } from "./reply/fault.ts";
export type { CallResult, ContentBlock } from "./reply/result.ts";
