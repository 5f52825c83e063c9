// The public API: REST APIs and adapters as MCP tools. Every exported name is listed here.

export {
  AdapterError,
  type AdapterErrorDetails,
  type AdapterErrorOptions,
  type AdapterFail,
  type FaultSpec,
  type FaultSpecs,
  failFor,
} from "./adapters/adapter-error.ts";
export type { AdapterHealth } from "./adapters/backend-manager.ts";
export { type Adapter, type AdapterType, defineAdapter } from "./adapters/define-adapter.ts";
export type { AdapterOptions } from "./adapters/options.ts";
export type {
  AdapterSpec,
  ArgumentsOf,
  CallContext,
  Lifecycle,
  ToolSpec,
} from "./adapters/spec.ts";
export type { CallOutcome } from "./api/call.ts";
export type { OpenapiOptions, OperationCallOptions, OperationOptions } from "./api/options.ts";
export type { BridgeReport, Tool } from "./api/tools.ts";
export type { ClientCredentialsOptions } from "./credentials/client-credentials.ts";
export { clientCredentials } from "./credentials/client-credentials.ts";
export type { Credential, Credentials } from "./credentials/credential.ts";
export { type ApiKeyLocation, apiKey, basic, bearer, forward } from "./credentials/simple-credentials.ts";
export { DocumentError, type DocumentSource } from "./document/document.ts";
export type { JsonSchemaObject } from "./document/schema-keywords.ts";
export type { AllowPrivate, ResolveHostname } from "./network/addresses.ts";
export type { NetworkOptions } from "./network/limits.ts";
export { type Bridge, openapi } from "./openapi.ts";
export type { Operation } from "./operations/operation.ts";
export type { ErrorReason, ErrorStatus, Errors, ServiceText } from "./reply/fault.ts";
export type { CallResult, ContentBlock } from "./reply/result.ts";
export type { Annotations } from "./sdk.ts";
