// The public API of @recourse/bridge, written by `npm run build && node scripts/api-report.ts`.

// @recourse/bridge
//   Adapter
//   AdapterError
//   AdapterErrorDetails
//   AdapterErrorOptions
//   AdapterFail
//   AdapterHealth
//   AdapterOptions
//   AdapterSpec
//   AdapterType
//   AllowPrivate
//   Annotations
//   ApiKeyLocation
//   ArgumentsOf
//   Bridge
//   BridgeReport
//   CallContext
//   CallOutcome
//   CallResult
//   ClientCredentialsOptions
//   ContentBlock
//   Credential
//   Credentials
//   DocumentError
//   DocumentSource
//   ErrorReason
//   ErrorStatus
//   Errors
//   FaultSpec
//   FaultSpecs
//   JsonSchemaObject
//   Lifecycle
//   NetworkOptions
//   OpenapiOptions
//   Operation
//   OperationCallOptions
//   OperationOptions
//   ResolveHostname
//   ServiceText
//   Tool
//   ToolSpec
//   apiKey
//   basic
//   bearer
//   clientCredentials
//   defineAdapter
//   failFor
//   forward
//   openapi

import { AnyReason, Effect, Fault, Issue, ParamsOf, ReasonOptions, Recourse, RetryAdvice, StatedKind } from "@recourse/core";
import { ADAPTER_ERROR_BRAND } from "@recourse/core/proxy";
import { BreakerOptions } from "@recourse/core/retry";
import { GuardOptions, Sink } from "@recourse/core/server";
import { TestingOptions } from "@recourse/core/wire";
import { Telemetry } from "@recourse/core/telemetry";
import { ProxyChoice } from "@recourse/core/node";
interface AdapterErrorDetails {
  readonly cause?: unknown;
  readonly effect?: Effect;
  readonly retry?: RetryAdvice;
  readonly issues?: readonly Issue[];
}
interface AdapterErrorOptions extends AdapterErrorDetails {
  readonly params?: Readonly<Record<string, unknown>>;
}
declare class AdapterError extends Error {
  readonly name = "AdapterError";
  readonly identifier: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly effect: Effect | undefined;
  readonly retry: RetryAdvice | undefined;
  readonly issues: readonly Issue[] | undefined;
  readonly [ADAPTER_ERROR_BRAND] = true;
  constructor(identifier: string, options?: AdapterErrorOptions);
  static is(value: unknown): value is AdapterError;
}
interface FaultSpec {
  readonly kind: StatedKind;
  readonly text: string;
  readonly slots?: AnyReason["slots"];
  readonly retry?: RetryAdvice;
  readonly effect?: Effect;
  readonly recourse?: readonly Recourse[];
}
type FaultSpecs = Readonly<Record<string, FaultSpec>>;
type ParamsIn<Faults extends FaultSpecs, Identifier extends keyof Faults> = string extends keyof Faults ? Readonly<Record<string, unknown>> : ParamsOf<Faults[Identifier]>;
type FailArguments<Params> = keyof Params extends never ? [params?: Record<string, never>, details?: AdapterErrorDetails] : Partial<Params> extends Params ? [params?: Params, details?: AdapterErrorDetails] : [params: Params, details?: AdapterErrorDetails];
type AdapterFail<Faults extends FaultSpecs> = <const Identifier extends keyof Faults & string>(identifier: Identifier, ...rest: FailArguments<ParamsIn<Faults, Identifier>>) => AdapterError;
declare function failFor<const Faults extends FaultSpecs>(_faults: Faults): AdapterFail<Faults>;
interface AdapterOptions {
  readonly deadlineMs?: number;
  readonly startTimeoutMs?: number;
  readonly breaker?: BreakerOptions;
  readonly drainTimeoutMs?: number;
  readonly closeTimeoutMs?: number;
  readonly sink?: Sink;
  readonly testing?: TestingOptions;
}
type JsonSchemaObject = Readonly<Record<string, unknown>>;
interface Annotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}
interface Lifecycle<Config, Backend> {
  initialise(config: Config, signal: AbortSignal): Backend | Promise<Backend>;
  close?(backend: Backend, signal: AbortSignal): unknown;
}
interface CallContext<Backend, Faults extends FaultSpecs = FaultSpecs> {
  readonly backend: Backend;
  readonly fail: AdapterFail<Faults>;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly idempotencyKey: string | undefined;
  readonly request: unknown;
}
type ArgumentsOf<Schema> = Schema extends {
  readonly "~standard": {
    readonly types?: {
      readonly output: infer Output;
    } | undefined;
  };
} ? Output : Schema extends Readonly<Record<string, {
  readonly "~standard": unknown;
}>> ? { [K in keyof Schema]: ArgumentsOf<Schema[K]> } : Readonly<Record<string, unknown>>;
interface ToolSpec<Schema, Backend, Faults extends FaultSpecs = FaultSpecs> {
  readonly title?: string;
  readonly description: string;
  readonly inputSchema?: Schema;
  readonly outputSchema?: object;
  readonly annotations?: Annotations;
  readonly deadlineMs?: number;
  readonly fails?: readonly (keyof Faults & string)[];
  handler(args: ArgumentsOf<Schema>, context: CallContext<Backend, Faults>): object | Promise<object>;
}
interface AdapterSpec<Config, Backend, Schemas, Faults extends FaultSpecs> {
  readonly name: string;
  readonly faults: Faults;
  readonly lifecycle: Lifecycle<Config, Backend>;
  readonly tools: { readonly [K in keyof Schemas]: ToolSpec<Schemas[K], Backend, Faults> };
}
interface AdapterHealth {
  readonly status: "idle" | "starting" | "healthy" | "down" | "closed";
  readonly running: number;
}
interface AdapterType<Config, Identifier extends string = string> {
  readonly name: string;
  readonly reasons: Readonly<Record<Identifier, AnyReason>>;
  create(config: Config, options?: AdapterOptions): Adapter;
}
interface Adapter {
  readonly name: string;
  readonly health: AdapterHealth;
  start(): Promise<void>;
  register<T extends object>(server: T, options?: GuardOptions): T;
  close(options?: {
    readonly signal?: AbortSignal;
  }): Promise<void>;
}
declare function defineAdapter<Config, Backend, Schemas, const Faults extends FaultSpecs>(spec: AdapterSpec<Config, Backend, Schemas, Faults>): AdapterType<Config, keyof Faults & string>;
type HttpMethod = "GET" | "HEAD" | "PUT" | "POST" | "PATCH" | "DELETE";
type Location = "path" | "query" | "header" | "cookie";
type Style = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";
interface ParameterArgument {
  readonly name: string;
  readonly in: Location;
  readonly key: string;
  readonly required: boolean;
  readonly style: Style;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly multiSegment: boolean;
  readonly content?: "json" | "text";
}
interface BodyArgument {
  readonly name: string;
  readonly in: "body";
  readonly key: string | undefined;
  readonly required: boolean;
  readonly requiredInBody: boolean;
  readonly file: boolean;
  readonly style?: Extract<Style, "form" | "spaceDelimited" | "pipeDelimited" | "deepObject">;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly contentType?: string;
}
type Argument = ParameterArgument | BodyArgument;
interface BodySpec {
  readonly mediaType: string;
  readonly form: BodyForm;
  readonly required: boolean;
}
type BodyForm = "json" | "form" | "multipart" | "text" | "binary";
type PathPart = {
  readonly text: string;
} | {
  readonly parameter: string;
};
interface ResponseSpec {
  readonly status: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
}
type SecurityRequirement = readonly {
  readonly scheme: string;
  readonly scopes: readonly string[];
}[];
interface Operation {
  readonly name: string;
  readonly id: string | undefined;
  readonly method: HttpMethod;
  readonly path: string;
  readonly segments: readonly (readonly PathPart[])[];
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly inputSchema: JsonSchemaObject;
  readonly arguments: readonly Argument[];
  readonly body: BodySpec | undefined;
  readonly annotations: Annotations;
  readonly responses: readonly ResponseSpec[];
  readonly security: readonly SecurityRequirement[];
  readonly accept: string;
  readonly idempotencyHeader: string | undefined;
  readonly credentialParameters: readonly string[];
  readonly server: string | undefined;
}
interface ApiRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}
type AllowPrivate = boolean | readonly string[] | "from-start";
type ResolveHostname = (hostname: string) => Promise<readonly string[]>;
interface NetworkOptions {
  readonly allowPrivate?: AllowPrivate;
  readonly connectTimeoutMs?: number;
  readonly headersTimeoutMs?: number;
  readonly bodyTimeoutMs?: number;
  readonly deadlineMs?: number;
  readonly maxResponseBytes?: number;
  readonly maxRequestBytes?: number;
  readonly concurrency?: number;
  readonly lookup?: ResolveHostname;
  readonly proxy?: ProxyChoice | undefined;
  readonly ca?: readonly string[] | undefined;
}
declare const DEFAULT_NETWORK_LIMITS: {
  connectTimeoutMs: number;
  headersTimeoutMs: number;
  bodyTimeoutMs: number;
  deadlineMs: number;
  maxResponseBytes: number;
  maxRequestBytes: number;
  concurrency: number;
};
type NetworkLimits = typeof DEFAULT_NETWORK_LIMITS;
type FailureCode = "address_not_allowed"  | "misconfigured" | "unreachable" | "connection_lost" | "timeout"  | "unreadable" | "too_large"  | "overloaded" | "cancelled" | "closed";
interface ExchangeFailure {
  readonly code: FailureCode;
  readonly sent: boolean;
  readonly cause?: unknown;
}
type BodyError = Extract<FailureCode, "connection_lost" | "timeout" | "unreadable" | "too_large" | "cancelled">;
type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>;
interface HttpReply {
  readonly status: number;
  readonly headers: ReplyHeaders;
  readonly body: Uint8Array;
  readonly bodyError?: BodyError;
}
type ExchangeResult = {
  readonly ok: true;
  readonly reply: HttpReply;
} | {
  readonly ok: false;
  readonly failure: ExchangeFailure;
};
interface HttpSendOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}
interface Network {
  readonly limits: NetworkLimits;
  send(request: ApiRequest, options?: HttpSendOptions): Promise<ExchangeResult>;
  close(): Promise<void>;
}
type ContentBlock = {
  readonly type: "text";
  readonly text: string;
} | {
  readonly type: "image" | "audio";
  readonly data: string;
  readonly mimeType: string;
} | {
  readonly type: "resource";
  readonly resource: {
    readonly uri: string;
    readonly mimeType: string;
    readonly blob: string;
  };
};
interface CallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
  readonly _meta?: Readonly<Record<string, unknown>>;
}
declare const DOCUMENT_PROBLEM_TEXTS: {
  readonly unreadable: "The document could not be read. Check that the file or the address exists and can be read.";
  readonly over_limit: "The document has more bytes than a reply may have. Raise network.maxResponseBytes, or pass the text or a file.";
  readonly too_large: "The document is too large: at most 16 MiB and 2,000,000 values. Split it, or remove what you do not need.";
  readonly too_deep: "The document is nested too deeply, or it contains itself. Replace the nesting by $ref.";
  readonly malformed: "The document is neither JSON nor YAML. Correct its syntax.";
  readonly ambiguous: "The document has the same key twice in one mapping. Remove one of them.";
  readonly custom_tag: "The document uses YAML tags that JSON does not have. Remove them.";
  readonly aliases: "The document uses too many YAML aliases. Replace them by $ref.";
  readonly not_openapi: "This is not an OpenAPI document: it has no version in `openapi`. Pass an OpenAPI 3.0 or 3.1 document.";
  readonly swagger_2: "This is Swagger 2.0. Convert it to OpenAPI 3.0 or 3.1 first.";
  readonly newer: "This version of OpenAPI is not supported. Use OpenAPI 3.0 or 3.1.";
};
declare class DocumentError extends Error {
  readonly name = "DocumentError";
  readonly code: keyof typeof DOCUMENT_PROBLEM_TEXTS;
  constructor(code: DocumentError["code"]);
}
type DocumentSource = string | URL | object;
type SecurityScheme = {
  readonly type: "apiKey";
  readonly in: "query" | "header" | "cookie";
  readonly key: string;
} | {
  readonly type: "http";
  readonly scheme: string;
} | {
  readonly type: "oauth2" | "openIdConnect" | "mutualTLS";
};
interface CredentialParts {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
}
interface CredentialContext {
  readonly callerHeader: (name: string) => string | undefined;
  readonly network: Network;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
}
type Applied = {
  readonly ok: true;
  readonly parts: CredentialParts; 
  readonly secrets: readonly string[]; 
  readonly renew?: () => boolean;
} | CredentialFailure;
interface CredentialFailure {
  readonly ok: false;
  readonly fault: Fault;
  readonly cause?: unknown;
}
interface Credential {
  readonly owner: "own" | "caller";
  readonly secrets: readonly string[];
  fits(scheme: SecurityScheme | undefined): boolean;
  apply(scheme: SecurityScheme | undefined, context: CredentialContext): Promise<Applied>;
  close?(): void;
}
type Credentials = Credential | Readonly<Record<string, Credential>>;
type ServiceText = "hide" | "public" | "quote" | "raw";
interface ErrorReason extends AnyReason {
  fault(params: never, rest?: ReasonOptions): Fault;
}
type ErrorStatus = number | "4XX" | "5XX" | "default";
type Errors = Readonly<Partial<Record<ErrorStatus, ErrorReason>>>;
interface OpenapiOptions {
  readonly server?: string | URL;
  readonly servers?: readonly string[];
  readonly credential?: Credentials;
  readonly foreignText?: ServiceText;
  readonly speaksFaults?: boolean;
  readonly network?: NetworkOptions;
  readonly prefix?: string;
  readonly include?: (operation: Operation) => boolean;
  readonly sink?: Sink;
  readonly telemetry?: Telemetry;
  readonly name?: string;
  readonly testing?: TestingOptions;
  readonly signal?: AbortSignal;
}
interface OperationOptions {
  readonly idempotencyHeader?: string | false;
  readonly errors?: Errors;
  readonly foreignText?: ServiceText;
  readonly deadlineMs?: number;
  readonly hidden?: boolean;
  readonly name?: string;
  readonly description?: string;
  readonly annotations?: Annotations;
}
interface OperationCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly headers?: Headers | Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly caller?: string | undefined;
  readonly credential?: Credential | undefined;
}
declare const SKIP_TEXTS: {
  readonly method: "Its method is not offered as a tool.";
  readonly unreadable: "Its description in the document cannot be read.";
  readonly unsafe_path: "Its path could lead elsewhere than it seems to.";
  readonly path_parameter: "A parameter in its path is not described.";
  readonly parameter: "A parameter that it needs cannot be read.";
  readonly body: "Its body is of a type that cannot be sent.";
  readonly too_many_arguments: "It takes more arguments than a tool can have.";
  readonly event_stream: "It answers with a stream of events that does not end.";
  readonly server: "It has an address of its own that is not among those allowed.";
};
declare const CHANGE_TEXTS: {
  readonly renamed: "The argument has another name than in the API.";
  readonly header: "The header is set by the bridge, never by a caller.";
  readonly credential: "The parameter carries a credential, so it is not an argument.";
  readonly left_out: "The parameter cannot be sent, so it is not an argument.";
  readonly style: "The parameter's style does not exist in its place; the usual one is used.";
  readonly body: "A body with this method has no meaning, so it is not sent.";
  readonly cut: "The schema is too deep or contains itself; what lies below is left open.";
  readonly unresolved: "A part of the schema refers to what is not in the document; it is left open.";
};
interface OperationNote<Code extends string> {
  readonly operation: string;
  readonly code: Code;
  readonly text: string;
}
type SkippedOperation = OperationNote<keyof typeof SKIP_TEXTS>;
interface ChangedArgument extends OperationNote<keyof typeof CHANGE_TEXTS> {
  readonly argument?: string;
}
interface RenamedTool {
  readonly operation: string;
  readonly from: string | undefined;
  readonly to: string;
}
interface OperationsReport {
  readonly renamed: readonly RenamedTool[];
  readonly skipped: readonly SkippedOperation[];
  readonly changed: readonly ChangedArgument[];
}
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchemaObject;
  readonly annotations: Annotations;
  readonly declares: Readonly<Record<string, readonly string[]>>;
  readonly operation: Operation;
}
interface BridgeReport extends OperationsReport {
  readonly uncredentialed: readonly string[];
}
type CallOutcome = {
  readonly ok: true;
  readonly result: CallResult;
} | {
  readonly ok: false; 
  readonly fault: Fault; 
  readonly cause?: unknown; 
  readonly raw?: string;
};
interface ClientCredentialsOptions {
  readonly tokenUrl: string | URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes?: readonly string[];
  readonly audience?: string;
  readonly auth?: "basic" | "body";
}
declare function clientCredentials(options: ClientCredentialsOptions): Credential;
declare function bearer(token: string): Credential;
declare function basic(user: string, password?: string): Credential;
interface ApiKeyLocation {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
}
declare function apiKey(value: string, location?: ApiKeyLocation): Credential;
declare function forward(header: string, {
  as
}?: {
  readonly as?: string;
}): Credential;
interface Bridge {
  readonly tools: readonly Tool[];
  readonly report: BridgeReport;
  operation(id: string, options: OperationOptions): Bridge;
  call(name: string, args?: unknown, options?: OperationCallOptions): Promise<CallOutcome>;
  register<T extends object>(server: T, options?: GuardOptions): T;
  close(): Promise<void>;
}
declare function openapi(source: DocumentSource, options?: OpenapiOptions): Promise<Bridge>;
