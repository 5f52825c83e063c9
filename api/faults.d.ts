// The public API of @recourse/faults, written by `npm run build && node scripts/api-report.ts`.

// @recourse/faults
//   Actor
//   AnyReason
//   AnySlot
//   Audience
//   Basis
//   Effect
//   Fail
//   FailTag
//   FailValue
//   Fault
//   FaultClass
//   FaultDetails
//   FaultError
//   FilterOptions
//   Issue
//   IssueCode
//   IssueRule
//   KINDS
//   Kind
//   KindRow
//   Limit
//   Move
//   Origin
//   Param
//   ParamsOf
//   Quote
//   Reason
//   ReasonOptions
//   ReasonSpec
//   Recourse
//   RenderOptions
//   RetryAdvice
//   RetryCondition
//   RuleGroup
//   SecretFilter
//   ShouldReportOptions
//   Slot
//   StatedKind
//   TextPolicy
//   Tried
//   classOf
//   createSecretFilter
//   defineReason
//   defineReasons
//   fail
//   knownKind
//   readFault
//   registerSecrets
//   render
//   shouldReport
//   slot

// @recourse/faults/client
//   AgentTool
//   AgentToolsOptions
//   AiModelOutput
//   AiOutput
//   AiPart
//   AiTool
//   AiToolsOptions
//   AttemptSummary
//   CallFailure
//   CallIncident
//   CallOptions
//   CallRef
//   CallSuccess
//   CallWithRetryOptions
//   ClientLike
//   Clock
//   ConnectFaultOptions
//   ConnectionRecord
//   ExchangeRecord
//   Exit
//   FetchLike
//   Incident
//   InputRequired
//   ListedTool
//   ObserveTransportOptions
//   Outcome
//   Phase
//   Random
//   Reconnection
//   RecourseClient
//   RecourseOptions
//   RecourseRetryOptions
//   RecourseServerOptions
//   ResultOf
//   Sink
//   Sleep
//   TestingOptions
//   ToolAnnotations
//   ToolPart
//   ToolReply
//   TransportObserver
//   agentTools
//   aiTools
//   callWithRetry
//   connectFault
//   observeTransport
//   recourse

// @recourse/faults/dialects
//   ClientContract
//   DecodeContext
//   Decoder
//   DetectedFault
//   Dialect
//   DialectCodes
//   DialectDefinition
//   EncodeContext
//   ExtensibleDialect
//   HttpDecodeContext
//   HttpWire
//   McpContext
//   McpWire
//   OwnCodes
//   TableReason
//   WireCode
//   defineDialect
//   detect
//   fastmcp
//   http
//   mcp
//   sdk
//   text

// @recourse/faults/reasons
//   adapter
//   auth
//   completion
//   content
//   core
//   elicitation
//   idempotency
//   notification
//   pagination
//   progress
//   prompt
//   protocol
//   resource
//   rest
//   sampling
//   task
//   tool
//   transport

// @recourse/faults/server
//   Authenticate
//   Authentication
//   AuthorizationRequest
//   Authorize
//   CallerName
//   CallerRequest
//   CallerRule
//   Clock
//   DeadlineTarget
//   DeclaringTool
//   EdgeErrorHandler
//   ExtendableIdempotencyStore
//   FailedAnswer
//   FailureTableOptions
//   ForeignText
//   FoundIdempotencyState
//   GuardIdempotencyOptions
//   GuardOptions
//   GuardStats
//   GuardToolOptions
//   HandlerAuthOptions
//   HandlerBodyOptions
//   HandlerFunction
//   HandlerObject
//   HandlerOptions
//   IdempotencyClaim
//   IdempotencyState
//   IdempotencyStore
//   Incident
//   LoggerLike
//   MemoryIdempotencyOptions
//   NodeListener
//   NodeRequest
//   NodeResponse
//   OperationSpan
//   Random
//   SearchableIdempotencyStore
//   Severity
//   Sink
//   Stamps
//   StderrSinkOptions
//   StdinGuard
//   StdinOptions
//   StdoutGuard
//   StdoutOptions
//   Telemetry
//   TestingOptions
//   ToFaultOptions
//   ToolFailure
//   TracedOperation
//   WrappedRequest
//   WrappedResponse
//   checkArguments
//   combineSinks
//   declares
//   edgeErrorHandler
//   failureTable
//   formatId
//   guard
//   guardHandler
//   guardStats
//   guardStdin
//   guardStdout
//   guardTool
//   isGuarded
//   loggerSink
//   memoryIdempotency
//   redactedError
//   stampFault
//   stderrSink
//   toFault
//   toNodeListener

// @recourse/faults/telemetry
//   Attributes
//   Clock
//   FailedAnswer
//   OpenTelemetryApi
//   OpenTelemetryOptions
//   OperationSpan
//   OtelApi
//   OtelAttributes
//   OtelMeter
//   OtelSinkOptions
//   OtelSpan
//   OtelSpanContext
//   OtelSpanOptions
//   Random
//   SpanLike
//   Telemetry
//   TestingOptions
//   TracedOperation
//   faultAttributes
//   openTelemetry
//   otelSink

declare const RULE_GROUPS: readonly ["credential", "database", "hostile", "host", "path", "personal", "provider", "url"];
type RuleGroup = (typeof RULE_GROUPS)[number];
interface SecretFilter {
  readonly size: number;
  has(text: string): boolean;
}
declare function createSecretFilter(values: Iterable<string>): SecretFilter;
declare function registerSecrets(...values: readonly (string | undefined)[]): () => void;
type Actor = "model" | "host" | "person" | "time" | "engine" | "operator" | "nobody";
declare const CLASSES: readonly ["validation", "permission", "retryable", "dependency", "terminal"];
type FaultClass = (typeof CLASSES)[number];
declare const EFFECTS: readonly ["none", "possible", "applied"];
type Effect = (typeof EFFECTS)[number];
declare const MOVES: readonly ["retry", "authenticate", "fix_input", "choose_another", "refresh", "do_first", "ask_user", "stop"];
type Move = (typeof MOVES)[number];
type RetryCondition = "never" | "after_credentials" | "after_approval" | "after_wait" | "if_safe";
interface KindRow {
  readonly class: FaultClass;
  readonly actor: Actor;
  readonly firstMove: Move;
  readonly effect: Effect;
  readonly retryWhen: RetryCondition;
  readonly tripsBreaker: boolean;
  readonly reported: boolean;
  readonly httpStatus: number;
  readonly fallbackMessage: string;
}
declare const KINDS: {
  readonly invalid_input: {
    readonly class: "validation";
    readonly actor: "model";
    readonly firstMove: "fix_input";
    readonly effect: "none";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 422;
    readonly fallbackMessage: "The arguments are wrong.";
  };
  readonly invalid_request: {
    readonly class: "validation";
    readonly actor: "host";
    readonly firstMove: "stop";
    readonly effect: "none";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 400;
    readonly fallbackMessage: "The request is malformed.";
  };
  readonly unauthenticated: {
    readonly class: "permission";
    readonly actor: "host";
    readonly firstMove: "authenticate";
    readonly effect: "none";
    readonly retryWhen: "after_credentials";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 401;
    readonly fallbackMessage: "Valid credentials are required.";
  };
  readonly forbidden: {
    readonly class: "permission";
    readonly actor: "person";
    readonly firstMove: "ask_user";
    readonly effect: "none";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 403;
    readonly fallbackMessage: "This call is not allowed.";
  };
  readonly approval_required: {
    readonly class: "permission";
    readonly actor: "person";
    readonly firstMove: "ask_user";
    readonly effect: "none";
    readonly retryWhen: "after_approval";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 403;
    readonly fallbackMessage: "A person has to approve this call first.";
  };
  readonly rate_limited: {
    readonly class: "retryable";
    readonly actor: "time";
    readonly firstMove: "retry";
    readonly effect: "none";
    readonly retryWhen: "after_wait";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 429;
    readonly fallbackMessage: "Too many calls in a short time.";
  };
  readonly overloaded: {
    readonly class: "retryable";
    readonly actor: "time";
    readonly firstMove: "retry";
    readonly effect: "none";
    readonly retryWhen: "after_wait";
    readonly tripsBreaker: true;
    readonly reported: true;
    readonly httpStatus: 503;
    readonly fallbackMessage: "The service is too busy at the moment.";
  };
  readonly timeout: {
    readonly class: "retryable";
    readonly actor: "engine";
    readonly firstMove: "refresh";
    readonly effect: "possible";
    readonly retryWhen: "if_safe";
    readonly tripsBreaker: true;
    readonly reported: true;
    readonly httpStatus: 504;
    readonly fallbackMessage: "No answer came in time.";
  };
  readonly unavailable: {
    readonly class: "dependency";
    readonly actor: "operator";
    readonly firstMove: "retry";
    readonly effect: "possible";
    readonly retryWhen: "if_safe";
    readonly tripsBreaker: true;
    readonly reported: true;
    readonly httpStatus: 503;
    readonly fallbackMessage: "A service that this call needs is not available.";
  };
  readonly upstream_failed: {
    readonly class: "dependency";
    readonly actor: "operator";
    readonly firstMove: "retry";
    readonly effect: "possible";
    readonly retryWhen: "if_safe";
    readonly tripsBreaker: true;
    readonly reported: true;
    readonly httpStatus: 502;
    readonly fallbackMessage: "A service that this call needs has failed.";
  };
  readonly not_found: {
    readonly class: "terminal";
    readonly actor: "model";
    readonly firstMove: "choose_another";
    readonly effect: "none";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 404;
    readonly fallbackMessage: "What the call asked for was not found.";
  };
  readonly conflict: {
    readonly class: "terminal";
    readonly actor: "model";
    readonly firstMove: "refresh";
    readonly effect: "none";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 409;
    readonly fallbackMessage: "The call conflicts with the current state.";
  };
  readonly precondition_failed: {
    readonly class: "terminal";
    readonly actor: "model";
    readonly firstMove: "do_first";
    readonly effect: "none";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 422;
    readonly fallbackMessage: "Something else has to happen first.";
  };
  readonly unsupported: {
    readonly class: "terminal";
    readonly actor: "model";
    readonly firstMove: "choose_another";
    readonly effect: "none";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 501;
    readonly fallbackMessage: "This call is not supported here.";
  };
  readonly quota_exhausted: {
    readonly class: "terminal";
    readonly actor: "person";
    readonly firstMove: "ask_user";
    readonly effect: "none";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 429;
    readonly fallbackMessage: "The quota is used up and does not come back soon.";
  };
  readonly cancelled: {
    readonly class: "terminal";
    readonly actor: "nobody";
    readonly firstMove: "stop";
    readonly effect: "possible";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 499;
    readonly fallbackMessage: "The call was cancelled.";
  };
  readonly internal: {
    readonly class: "terminal";
    readonly actor: "operator";
    readonly firstMove: "stop";
    readonly effect: "possible";
    readonly retryWhen: "never";
    readonly tripsBreaker: true;
    readonly reported: true;
    readonly httpStatus: 500;
    readonly fallbackMessage: "The call failed because of an internal error.";
  };
  readonly unknown: {
    readonly class: "terminal";
    readonly actor: "model";
    readonly firstMove: "refresh";
    readonly effect: "possible";
    readonly retryWhen: "never";
    readonly tripsBreaker: false;
    readonly reported: false;
    readonly httpStatus: 500;
    readonly fallbackMessage: "The call failed for an unknown reason.";
  };
};
type Kind = keyof typeof KINDS;
type StatedKind = Exclude<Kind, "unknown">;
declare function knownKind(fault: {
  readonly kind: string;
  readonly class: FaultClass;
}): Kind;
declare function classOf(of: Kind | {
  readonly kind: string;
  readonly class: FaultClass;
}): FaultClass;
type Param = Scalar | readonly Scalar[];
type Scalar = string | number | boolean | null;
declare const AUTHORS: readonly ["peer", "thrown", "upstream"];
interface Quote {
  readonly text: string;
  readonly from: (typeof AUTHORS)[number];
}
interface Recourse {
  readonly do: Move;
  readonly afterMs?: number;
  readonly fields?: readonly string[];
  readonly candidates?: readonly string[];
  readonly tool?: string;
  readonly approval?: string;
  readonly link?: string;
}
declare const BACKOFFS: readonly ["fixed", "exponential"];
interface RetryAdvice {
  readonly allowed: boolean;
  readonly afterMs?: number;
  readonly maxAttempts?: number;
  readonly backoff?: (typeof BACKOFFS)[number];
  readonly jitter?: number;
}
declare const ISSUE_RULES: readonly ["required", "type", "format", "range", "length", "choice", "unknown", "duplicate", "custom"];
type IssueRule = (typeof ISSUE_RULES)[number];
declare const ISSUE_CODES: readonly ["too_small", "too_big", "not_multiple_of", "invalid_union", "invalid_value"];
type IssueCode = (typeof ISSUE_CODES)[number];
interface Issue {
  readonly pointer: string;
  readonly rule: IssueRule;
  readonly expected?: string;
  readonly message?: string;
  readonly suggestion?: string;
  readonly code?: IssueCode;
  readonly keys?: readonly string[];
}
interface Limit {
  readonly policy?: string;
  readonly unit?: string;
  readonly quota?: number;
  readonly remaining?: number;
  readonly windowMs?: number;
  readonly resetMs?: number;
  readonly scope?: string;
}
declare const LAYERS: readonly ["client", "transport", "gateway", "server", "upstream"];
interface Origin {
  readonly layer: (typeof LAYERS)[number];
  readonly name?: string;
}
declare const BASES: readonly ["stated", "mapped", "guessed"];
type Basis = (typeof BASES)[number];
declare const STOPS: readonly ["attempts", "budget", "deadline", "unsafe", "refused", "looping", "final", "guessed", "breaker", "aborted"];
interface Tried {
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly stopped: (typeof STOPS)[number];
  readonly equalFailures?: number;
}
interface Fault {
  readonly v: 1;
  readonly kind: Kind | (string & {});
  readonly class: FaultClass;
  readonly reason: string;
  readonly message: string;
  readonly params?: Readonly<Record<string, Param>>;
  readonly quote?: Quote;
  readonly recourse: readonly [Recourse, ...Recourse[]];
  readonly effect: Effect;
  readonly retry?: RetryAdvice;
  readonly issues?: readonly Issue[];
  readonly limits?: readonly Limit[];
  readonly origin: Origin;
  readonly basis: Basis;
  readonly tried?: Tried;
  readonly incident?: string;
  readonly requestId?: string;
  readonly at?: string;
  readonly trace?: string;
  readonly docs?: string;
  readonly cause?: Fault;
}
interface Stamps {
  readonly origin?: Origin | undefined;
  readonly incident?: string | undefined;
  readonly at?: string | undefined;
  readonly trace?: string | undefined;
  readonly docsBase?: string | undefined;
}
declare function stampFault(fault: Fault, stamps: Stamps): Fault;
interface FilterOptions {
  readonly secrets?: SecretFilter | undefined;
  readonly allow?: readonly RuleGroup[] | undefined;
  readonly textPolicy?: TextPolicy | undefined;
  readonly callerTexts?: readonly string[] | undefined;
}
type TextPolicy = "author" | "foreign" | "received" | "checked";
interface FaultDetails {
  readonly effect?: Effect;
  readonly repeatable?: boolean;
  readonly retry?: RetryAdvice;
  readonly afterMs?: number;
  readonly issues?: readonly Issue[];
  readonly limits?: readonly Limit[];
  readonly recourse?: readonly Recourse[];
  readonly quote?: Quote;
  readonly origin?: Origin;
  readonly basis?: Basis;
  readonly tried?: Tried;
}
declare const FAULT_ERROR_BRAND: unique symbol;
declare class FaultError extends Error {
  #private;
  readonly fault: Fault;
  readonly name = "FaultError";
  readonly [FAULT_ERROR_BRAND] = true;
  constructor(fault: Fault, options?: {
    readonly cause?: unknown;
  });
  static is(value: unknown): value is FaultError;
  static isOwn(value: unknown): value is FaultError;
  static [Symbol.hasInstance](value: unknown): value is FaultError;
}
declare function readFault(value: unknown, filter?: FilterOptions): Fault | undefined;
declare const SEVERITIES: readonly ["critical", "error", "warning", "info"];
type Severity = (typeof SEVERITIES)[number];
interface ShouldReportOptions {
  readonly textHidden: boolean;
}
declare function shouldReport(fault: Fault, {
  textHidden
}: ShouldReportOptions): boolean;
interface ReasonOptions extends FaultDetails, FilterOptions {
  readonly cause?: unknown;
  readonly incident?: string | undefined;
  readonly requestId?: string | undefined;
}
interface ReasonSpec {
  readonly kind: Kind;
  readonly text: string;
  readonly slots?: Readonly<Record<string, AnySlot>>;
  readonly details?: FaultDetails;
}
type SlotsOf<S extends ReasonSpec> = S["slots"] extends Readonly<Record<string, AnySlot>> ? S["slots"] : Readonly<Record<never, AnySlot>>;
type NamesWhere<S, Optional extends boolean> = { [K in keyof S]: S[K] extends Slot<infer _T, infer O> ? (O extends Optional ? K : never) : never }[keyof S];
type ParamsOf<S extends ReasonSpec> = { readonly [K in NamesWhere<SlotsOf<S>, false>]: SlotValue<SlotsOf<S>[K]> } & { readonly [K in NamesWhere<SlotsOf<S>, true>]?: SlotValue<SlotsOf<S>[K]> };
type ReasonArguments<P> = keyof P extends never ? [params?: Record<string, never> | undefined, options?: ReasonOptions] : Partial<P> extends P ? [params?: P, options?: ReasonOptions] : [params: P, options?: ReasonOptions];
interface Reason<Id extends string = string, S extends ReasonSpec = ReasonSpec> {
  (...args: ReasonArguments<ParamsOf<S>>): FaultError;
  readonly id: Id;
  readonly kind: S["kind"];
  readonly text: S["text"];
  readonly slots: Readonly<Record<string, AnySlot>>;
  fault(...args: ReasonArguments<ParamsOf<S>>): Fault;
}
interface AnyReason {
  readonly id: string;
  readonly kind: Kind;
  readonly text: string;
  readonly slots: Readonly<Record<string, AnySlot>>;
}
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type OutsideBrackets<Text extends string> = Text extends `${infer Before}[${string}]${infer After}` ? `${Before}${OutsideBrackets<After>}` : Text;
type InsideBrackets<Text extends string> = Text extends `${string}[${infer Group}]${infer After}` ? Group | InsideBrackets<After> : never;
type NeededNames<Text extends string> = NamesIn<OutsideBrackets<Text>>;
type DroppableNames<Text extends string> = NamesIn<InsideBrackets<Text>>;
type LowerCase = SplitWords<"a b c d e f g h i j k l m n o p q r s t u v w x y z">;
type Digit = SplitWords<"0 1 2 3 4 5 6 7 8 9">;
type SplitWords<Text extends string> = Text extends `${infer Word} ${infer Rest}` ? Word | SplitWords<Rest> : Text;
type ConsistsOf<Text extends string, Character extends string> = Text extends `${infer First}${infer Rest}` ? First extends Character ? ConsistsOf<Rest, Character> : false : true;
type IsName<Name, Letter extends string> = Name extends `${infer First}${infer Rest}` ? First extends Letter ? ConsistsOf<Rest, Letter | Digit | "_"> : false : string extends Name ? true : false;
type NameRule = "Use a lower-case letter, then lower-case letters, digits or _.";
type CheckedDomain<Domain extends string> = IsName<Domain, LowerCase> extends true ? Domain : `The domain ${Domain} is not valid. ${NameRule}`;
type CheckedName<Name, Definition> = IsName<Name, LowerCase> extends true ? Definition : `The name ${Name & string} is not valid. ${NameRule}`;
type CheckedId<Id extends string> = Id extends `${infer Domain}/${infer Name}` ? CheckedDomain<Domain> extends Domain ? CheckedName<Name, Id> : CheckedDomain<Domain> : "The id of a reason is domain/name.";
type MissingSlots<S extends ReasonSpec> = Exclude<NeededNames<S["text"]> | DroppableNames<S["text"]>, keyof SlotsOf<S>>;
type OutsideOfBrackets<S extends ReasonSpec> = NeededNames<S["text"]> & NamesWhere<SlotsOf<S>, true>;
type CheckedText<S extends ReasonSpec> = [MissingSlots<S>] extends [never] ? [OutsideOfBrackets<S>] extends [never] ? S["text"] : `{${OutsideOfBrackets<S>}} may be missing: put the part of the text that needs it into [brackets].` : `No slot for {${MissingSlots<S>}}: add it to slots, or correct its name.`;
type CheckedSlots<Slots> = { readonly [K in keyof Slots]: IsName<K, LowerCase | Uppercase<LowerCase>> extends true ? Slots[K] : `The name ${K & string} is not valid: use a letter, then letters, digits or _.` };
type MisplacedDetails = { readonly [K in keyof FaultDetails]?: `Move ${K} into details: { ${K} }.` };
interface CheckedFields<S extends ReasonSpec> extends MisplacedDetails {
  readonly kind: S["kind"];
  readonly text: CheckedText<S>;
  readonly slots?: CheckedSlots<SlotsOf<S>>;
  readonly details?: FaultDetails;
}
type CheckedSpec<S extends ReasonSpec> = [S] extends [never] ? S : CheckedFields<S>;
type CheckedSpecs<M extends Readonly<Record<string, ReasonSpec>>> = { readonly [K in keyof M]: CheckedName<K, CheckedSpec<M[K]>> };
interface Slot<T, Optional extends boolean = false> {
  readonly type: string;
  readonly choices?: readonly string[];
  readonly optional: Optional;
  read(value: T, filter: FilterOptions): Param;
  show(param: Exclude<Param, null>): string;
}
type AnySlot = Slot<any, boolean>;
type SlotValue<S> = S extends Slot<infer T, boolean> ? T : never;
interface TableReason extends AnyReason {
  fault(params?: any, rest?: ReasonOptions): Fault;
}
declare function defineReason<const Id extends string, const S extends ReasonSpec>(id: CheckedId<Id>, spec: CheckedSpec<S>): Reason<Id, S>;
declare function defineReasons<const Domain extends string, const M extends Readonly<Record<string, ReasonSpec & {
  readonly kind: StatedKind;
}>>>(domain: CheckedDomain<Domain>, specs: CheckedSpecs<M>): { readonly [K in keyof M & string]: Reason<`${Domain}/${K}`, M[K]> };
type FailValue = string | number | boolean;
type FailTag = (literals: TemplateStringsArray, ...values: readonly FailValue[]) => FaultError;
interface Fail extends FailTag {
  (options: ReasonOptions): FailTag;
}
declare const fail: { readonly [K in StatedKind]: Fail };
declare namespace slot_d_exports {
  export { PatternOptions, boolean, date, duration, id, integer, list, media, method, number, oneOf, optional, pattern, pointer, text$2 as text, uri, uuid };
}
declare const integer: Slot<number>;
declare const number: Slot<number>;
declare const duration: Slot<number>;
declare const boolean: Slot<boolean>;
declare const date: Slot<string>;
declare const pointer: Slot<string>;
declare const uuid: Slot<string>;
declare const id: Slot<string>;
declare const method: Slot<string>;
declare const media: Slot<string>;
declare const uri: Slot<string>;
interface PatternOptions {
  readonly max?: number;
  readonly bare?: boolean;
}
declare function pattern(regex: RegExp, options?: PatternOptions): Slot<string>;
declare function oneOf<const T extends string>(known: readonly T[]): Slot<T>;
declare function text$2(max: number): Slot<string>;
declare function list<S extends AnySlot>(of: S): Slot<readonly SlotValue<S>[]>;
declare function optional<T>(of: Slot<T>): Slot<T, true>;
declare function renderModel(fault: Fault): string;
declare const RENDERERS: {
  readonly model: typeof renderModel;
  readonly person: typeof renderPerson;
  readonly log: typeof renderLog;
};
type Audience = keyof typeof RENDERERS;
interface RenderOptions {
  readonly for: Audience;
}
declare function render(fault: Fault, options: RenderOptions): string;
declare function renderLog(fault: Fault): string;
declare function renderPerson(fault: Fault): string;
declare function formatId(timeMs: number, random: Uint8Array): string;
interface Incident {
  readonly fault: Fault;
  readonly cause?: unknown;
  readonly at: string;
  readonly method?: string;
  readonly tool?: string;
  readonly durationMs?: number;
  readonly code?: number;
  readonly isError?: boolean;
  readonly severity?: Severity;
  readonly secrets?: SecretFilter;
}
type Sink<T extends Incident = Incident> = (incident: T) => unknown;
interface TracedOperation {
  readonly what: "call" | "request" | "http";
  readonly side: "client" | "server";
  readonly method: string;
  readonly name?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly attempt?: number | undefined;
  readonly address?: URL | undefined;
}
interface FailedAnswer {
  readonly code?: number | undefined;
  readonly isError?: boolean | undefined;
}
interface OperationSpan {
  readonly context: Readonly<Record<string, string>>;
  answered(status: number): void;
  failed(fault: Fault, answer?: FailedAnswer): void;
}
interface Telemetry {
  run<T>(operation: TracedOperation, work: (span: OperationSpan) => Promise<T>): Promise<T>;
}
interface ClientLike {
  callTool(...args: never[]): Promise<unknown>;
  readResource(...args: never[]): Promise<unknown>;
  getPrompt(...args: never[]): Promise<unknown>;
  listTools(...args: never[]): Promise<unknown>;
  getServerCapabilities(): unknown;
}
type ResultOf<C, M extends keyof ClientLike> = C extends Readonly<Record<M, (...args: never[]) => Promise<infer R>>> ? R : unknown;
interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: ToolAnnotations | undefined;
}
interface ToolAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
}
interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}
type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;
interface Clock {
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly sleep: Sleep;
}
type Random = () => number;
interface TestingOptions {
  readonly clock?: Partial<Clock>;
  readonly random?: Random;
  readonly createId?: () => string;
}
type ForeignText = "hide" | "public" | "quote";
interface ToFaultOptions extends FilterOptions {
  readonly foreignText?: ForeignText;
  readonly origin?: Origin;
  readonly signal?: AbortSignal | undefined;
}
interface EncodeContext {
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
  readonly outputSchema?: boolean | undefined;
  readonly docsBase?: string | undefined;
  readonly at?: string | undefined;
}
interface DecodeContext extends FilterOptions {
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
  readonly speaksFaults?: boolean | undefined;
}
interface ClientContract {
  readonly policy: {
    readonly stepMs: number; 
    readonly baseMs: number; 
    readonly overloadBaseMs: number; 
    readonly maxBackoffMs: number;
  };
  describe(tool: string, fault: Fault): string;
}
interface Decoder<Decode extends DecodeContext = DecodeContext> {
  readonly name: string;
  decode(wire: unknown, context?: Decode): Fault | undefined;
  readonly contract?: ClientContract;
  readonly clientSeverity?: (code: number) => Severity;
}
interface Dialect<Wire, Encode extends EncodeContext = EncodeContext, Decode extends DecodeContext = DecodeContext> extends Decoder<Decode> {
  encode(fault: Fault, context?: Encode): Wire;
  readonly codes?: DialectCodes<Encode>;
  readonly errorSeverity?: (code: number) => Severity;
  readonly maxMessageBytes?: number;
  readonly foreignText?: ForeignText;
  readonly envelope?: CallEnvelope;
}
interface CallEnvelope {
  readonly success: Readonly<Record<string, unknown>>;
}
type WireCode = number | string;
interface DialectCodes<Encode extends EncodeContext = EncodeContext> {
  codeOf(fault: Fault, context?: Encode): WireCode | undefined;
  published(): Readonly<Record<string, string>>;
}
interface BreakerOptions {
  readonly failures?: number | undefined;
  readonly pauseMs?: number | undefined;
  readonly maxPauseMs?: number | undefined;
}
interface RetryPolicy {
  readonly attempts: number;
  readonly baseMs: number;
  readonly overloadBaseMs: number;
  readonly stepMs: number;
  readonly maxBackoffMs: number;
  readonly maxWaitMs: number;
  readonly minAttemptMs: number;
  readonly jitter: number;
}
type WaitSource = "peer" | "contract" | "backoff";
interface BudgetOptions {
  readonly reserve?: number | undefined;
}
type StopReason = Tried["stopped"];
type Reauthorized = "credentials" | "approval";
interface RepeatDecision {
  readonly do: "repeat";
  readonly waitMs: number;
  readonly by: WaitSource | "reauthorized";
}
interface StopDecision {
  readonly do: "stop";
  readonly why: StopReason;
  readonly rule: number;
  readonly waitMs?: number;
}
type Decision = RepeatDecision | StopDecision;
interface DecisionRecord {
  readonly tool: string;
  readonly attempt: number;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly fault?: Fault;
  readonly decision?: Decision;
}
type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;
interface CallRef {
  readonly id: string;
  readonly attempt: number;
}
type Phase = "connect" | "sent" | "headers" | "body" | "ended";
interface ExchangeRecord {
  readonly phase: Phase;
  readonly exchanges: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly error?: unknown;
  readonly startedMs: number;
  readonly headersMs?: number;
  readonly endedMs?: number;
}
interface ConnectionRecord {
  readonly stderr: readonly string[];
  readonly credentials?: SecretFilter | undefined;
  readonly exit?: Exit;
  readonly failed?: ExchangeRecord;
}
interface TransportObserver {
  readonly fetch: FetchLike;
  child<T extends object>(transport: T): T;
  abandon(call: CallRef): void;
  take(call: CallRef): ExchangeRecord | undefined;
  connection(): ConnectionRecord;
  lost(call: CallRef, signal: AbortSignal): Promise<ExchangeRecord>;
}
interface Reconnection<C> {
  readonly client: C;
  readonly signal: AbortSignal;
}
interface RecourseRetryOptions {
  readonly policy?: Partial<RetryPolicy>;
  readonly budget?: BudgetOptions | false;
  readonly breaker?: BreakerOptions | false;
  readonly onDecision?: (record: DecisionRecord) => void;
}
interface RecourseServerOptions {
  readonly speaksFaults?: boolean;
  readonly trustAnnotations?: boolean;
  readonly tools?: readonly ListedTool[];
  readonly dialect?: Decoder;
}
interface RecourseOptions<C extends ClientLike = ClientLike> {
  readonly transport?: TransportObserver;
  readonly deadlineMs?: number;
  readonly timeoutMs?: number;
  readonly retry?: RecourseRetryOptions;
  readonly server?: RecourseServerOptions;
  readonly conversation?: object;
  readonly autoIdempotency?: boolean;
  readonly inputRequired?: "return" | "rounds";
  readonly reauthorize?: (fault: Fault) => Promise<Reauthorized | undefined>;
  readonly reconnect?: (why: Fault, last: Reconnection<C>) => Promise<C>;
  readonly sink?: Sink<CallIncident>;
  readonly telemetry?: Telemetry;
  readonly secrets?: SecretFilter;
  readonly allow?: readonly RuleGroup[];
  readonly testing?: TestingOptions;
}
interface CallOptions {
  readonly idempotencyKey?: string;
  readonly repeatable?: boolean;
  readonly deadlineMs?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: unknown) => void;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly conversation?: object;
  readonly input?: {
    readonly inputResponses?: object;
    readonly requestState?: string;
  };
}
interface AttemptSummary {
  readonly attempts: number;
  readonly elapsedMs: number;
}
interface CallSuccess<T> {
  readonly ok: true;
  readonly result: T;
  readonly tried?: AttemptSummary;
}
interface CallFailure {
  readonly ok: false;
  readonly fault: Fault;
  readonly raw?: unknown;
  readonly idempotencyKey?: "sent" | "ignored";
  readonly inputRequired?: undefined;
}
interface InputRequired {
  readonly ok: false;
  readonly inputRequired: Readonly<Record<string, unknown>>;
  readonly fault?: undefined;
}
type Outcome<T> = CallSuccess<T> | CallFailure;
interface CallIncident extends Incident {
  readonly method: string;
  readonly durationMs: number;
  readonly attempts: number;
  readonly retryInMs?: number;
  readonly phase?: Phase;
  readonly status?: number;
  readonly body?: string;
  readonly stderr?: readonly string[];
  readonly exit?: Exit;
}
interface RecourseClient<C extends ClientLike = ClientLike, Input = never> {
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Outcome<ResultOf<C, "callTool">> | Input>;
  read(uri: string, options?: CallOptions): Promise<Outcome<ResultOf<C, "readResource">> | Input>;
  prompt(name: string, args?: Readonly<Record<string, string>>, options?: CallOptions): Promise<Outcome<ResultOf<C, "getPrompt">> | Input>;
  tools(options?: CallOptions): Promise<Outcome<readonly ListedTool[]>>;
  conversation(): RecourseClient<C, Input>;
  readonly client: C;
}
declare function recourse<C extends ClientLike>(client: C, options: RecourseOptions<C> & {
  readonly inputRequired: "return";
}): RecourseClient<C, InputRequired>;
declare function recourse<C extends ClientLike>(client: C, options?: RecourseOptions<C> & {
  readonly inputRequired?: "rounds";
}): RecourseClient<C>;
interface CallWithRetryOptions extends CallOptions {
  readonly attempts?: number;
  readonly dialect?: Decoder;
  readonly describe?: (tool: string, fault: Fault) => string;
}
declare function callWithRetry<C extends ClientLike>(client: C, name: string, args?: Readonly<Record<string, unknown>>, options?: CallWithRetryOptions): Promise<ResultOf<C, "callTool">>;
type ToolPart = {
  readonly type: "text";
  readonly text: string;
} | {
  readonly type: "file";
  readonly mediaType: string;
  readonly data: string;
};
interface ToolReply<Result = unknown> {
  readonly isError: boolean;
  readonly text: string;
  readonly parts: readonly ToolPart[];
  readonly structuredContent?: unknown;
  readonly result?: Result;
  readonly fault?: Fault;
  readonly cause?: unknown;
  readonly inputRequired?: InputRequired["inputRequired"];
}
interface AgentTool<Result = unknown> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly listed: ListedTool;
  execute(args: unknown, options?: CallOptions): Promise<ToolReply<Result>>;
}
interface AgentToolsOptions {
  readonly tools?: readonly ListedTool[];
  readonly callOptions?: (tool: string, input: unknown) => CallOptions;
}
declare function agentTools<C extends ClientLike>(mcp: RecourseClient<C, InputRequired> | RecourseClient<C>, options?: AgentToolsOptions): Promise<readonly AgentTool<ResultOf<C, "callTool">>[]>;
type AiPart = {
  readonly type: "text";
  readonly text: string;
} | {
  readonly type: "file";
  readonly mediaType: string;
  readonly data: {
    readonly type: "data";
    readonly data: string;
  };
};
type AiModelOutput = {
  readonly type: "text";
  readonly value: string;
} | {
  readonly type: "error-text";
  readonly value: string;
} | {
  readonly type: "json";
  readonly value: any;
} | {
  readonly type: "content";
  readonly value: AiPart[];
};
type AiOutput = {
  readonly result: unknown;
  readonly fault?: undefined;
} | {
  readonly fault: Fault;
  readonly text: string;
};
interface AiTool<Schema> {
  type: "dynamic";
  description?: string;
  inputSchema: Schema;
  execute(input: unknown, options?: {
    readonly abortSignal?: AbortSignal | undefined;
  }): Promise<AiOutput>;
  toModelOutput(options: {
    readonly output: unknown;
  }): AiModelOutput;
}
interface AiToolsOptions<Schema> extends AgentToolsOptions {
  readonly jsonSchema: (schema: never) => Schema;
}
declare function aiTools<Schema, C extends ClientLike>(mcp: RecourseClient<C, InputRequired> | RecourseClient<C>, options: AiToolsOptions<Schema>): Promise<Record<string, AiTool<Schema>>>;
interface HttpReplyContext extends FilterOptions {
  readonly httpMethod?: string | undefined;
  readonly keyed?: boolean | undefined;
  readonly now?: number | undefined;
  readonly hasPathParams?: boolean | undefined;
  readonly credential?: "own" | "caller" | undefined;
  readonly declared?: readonly string[] | undefined;
  readonly text?: "hide" | "quote" | undefined;
  readonly expects?: "json" | undefined;
  readonly truncated?: boolean | undefined;
  readonly speaksFaults?: boolean | undefined;
  readonly unprocessed503?: boolean | undefined;
}
type JsonObject = Readonly<Record<string, unknown>>;
interface HttpDecodeContext extends DecodeContext, HttpReplyContext {}
interface HttpWire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}
declare const http: Dialect<HttpWire, EncodeContext, HttpDecodeContext>;
interface ConnectFaultOptions {
  readonly transport?: TransportObserver;
  readonly secrets?: SecretFilter;
  readonly allow?: readonly RuleGroup[];
}
declare function connectFault(error: unknown, options?: ConnectFaultOptions): Promise<Fault>;
interface ObserveTransportOptions {
  readonly fetch?: FetchLike;
  readonly testing?: TestingOptions;
}
declare function observeTransport(options?: ObserveTransportOptions): TransportObserver;
declare const REVISIONS: readonly ["2025-06-18", "2025-11-25", "2026-07-28"];
type Revision = (typeof REVISIONS)[number];
interface McpContext extends EncodeContext {
  readonly revision?: Revision | undefined;
}
type McpWire = {
  readonly result: JsonObject;
} | {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data: JsonObject;
  };
  readonly status?: number;
};
declare const mcp: Dialect<McpWire, McpContext>;
interface OwnCodes {
  readonly codes: Readonly<Record<string, TableReason>>;
}
interface ExtensibleDialect<Wire, Encode extends EncodeContext = EncodeContext, Decode extends DecodeContext = DecodeContext> extends Dialect<Wire, Encode, Decode> {
  readonly codes: DialectCodes<Encode>;
  with(own: OwnCodes): ExtensibleDialect<Wire, Encode, Decode>;
}
interface DialectDefinition<Wire, Encode extends EncodeContext, Decode extends DecodeContext> {
  readonly name: string;
  readonly encode: (fault: Fault, context: Encode) => Wire;
  readonly decode: (wire: unknown, context: Decode) => Fault | undefined;
  readonly codes?: DialectCodes<Encode>;
  readonly foreignText?: ForeignText;
}
declare function defineDialect<Wire, Encode extends EncodeContext = EncodeContext, Decode extends DecodeContext = DecodeContext>(definition: DialectDefinition<Wire, Encode, Decode>): Dialect<Wire, Encode, Decode>;
interface DetectedFault {
  readonly fault: Fault;
  readonly dialect: string;
  readonly basis: Basis;
}
declare function detect(wire: unknown, context?: HttpDecodeContext): DetectedFault | undefined;
declare const fastmcp: Decoder;
declare const sdk: Decoder;
declare const text$1: Decoder;
declare namespace adapter_d_exports {
  export { failed$8 as failed, not_implemented, unavailable$1 as unavailable };
}
declare const failed$8: Reason<"adapter/failed", {
  kind: "upstream_failed";
  text: "The backend of this tool has failed[: {originalError}].";
  slots: {
    readonly originalError: Slot<string, true>;
  };
}>;
declare const unavailable$1: Reason<"adapter/unavailable", {
  kind: "unavailable";
  text: "The backend of this tool is not available at the moment.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const not_implemented: Reason<"adapter/not_implemented", {
  kind: "unsupported";
  text: "The backend of this tool does not support this operation.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare namespace auth_d_exports {
  export { access_denied$1 as access_denied, approval_denied, approval_denied_by_policy, approval_expired, approval_required, approval_unavailable, exchange_refused, failed$7 as failed, header_invalid, insufficient_scope, invalid_credentials, not_authorized, token_expired$1 as token_expired, token_required, unauthorized };
}
declare const unauthorized: Reason<"auth/unauthorized", {
  kind: "unauthenticated";
  text: "Valid credentials are required.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const failed$7: Reason<"auth/failed", {
  kind: "unauthenticated";
  text: "The credentials were not accepted.";
  slots: {
    readonly reason: Slot<string, true>;
  };
}>;
declare const invalid_credentials: Reason<"auth/invalid_credentials", {
  kind: "unauthenticated";
  text: "The credentials are not valid.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const token_expired$1: Reason<"auth/token_expired", {
  kind: "unauthenticated";
  text: "The token has expired.";
  slots: {
    readonly expiredAt: Slot<number, true>;
  };
}>;
declare const header_invalid: Reason<"auth/header_invalid", {
  kind: "unauthenticated";
  text: "The Authorization header is missing or malformed.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const not_authorized: Reason<"auth/not_authorized", {
  kind: "forbidden";
  text: "This call is not allowed[ without the role {requiredRole}].";
  slots: {
    readonly operation: Slot<string, true>;
    readonly requiredRole: Slot<string, true>;
  };
}>;
declare const insufficient_scope: Reason<"auth/insufficient_scope", {
  kind: "forbidden";
  text: "The token lacks a scope that this call needs[: {scopes}].";
  slots: {
    readonly scopes: Slot<readonly string[], true>;
  };
}>;
declare const access_denied$1: Reason<"auth/access_denied", {
  kind: "forbidden";
  text: "Access is denied.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const token_required: Reason<"auth/token_required", {
  kind: "forbidden";
  text: "This call is made on behalf of a person, so it needs a token of that person; an API key is not enough.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const exchange_refused: Reason<"auth/exchange_refused", {
  kind: "forbidden";
  text: "The sign-in service does not let this caller use the service behind this tool; the user may have to sign in again, or to ask for access.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const approval_required: Reason<"auth/approval_required", {
  kind: "approval_required";
  text: "A person has to approve this call first[ (approval {approval})][, by {expiresAt}].";
  slots: {
    readonly approval: Slot<string, true>;
    readonly expiresAt: Slot<string, true>;
  };
}>;
declare const approval_denied: Reason<"auth/approval_denied", {
  kind: "forbidden";
  text: "The approval of this call was denied[ (approval {approval})].";
  slots: {
    readonly approval: Slot<string, true>;
  };
}>;
declare const approval_denied_by_policy: Reason<"auth/approval_denied_by_policy", {
  kind: "forbidden";
  text: "A policy does not allow this call, and nobody can approve it here.";
  slots: {};
}>;
declare const approval_expired: Reason<"auth/approval_expired", {
  kind: "approval_required";
  text: "The approval has expired or was used already; a new approval is needed[ (approval {approval})][, by {expiresAt}].";
  slots: {
    readonly approval: Slot<string, true>;
    readonly expiresAt: Slot<string, true>;
  };
}>;
declare const approval_unavailable: Reason<"auth/approval_unavailable", {
  kind: "unavailable";
  text: "Approvals cannot be looked up at the moment, so the call was not made.";
  slots: {};
}>;
declare namespace completion_d_exports {
  export { failed$6 as failed, invalid_argument, invalid_reference, not_found$6 as not_found };
}
declare const not_found$6: Reason<"completion/not_found", {
  kind: "not_found";
  text: "The prompt or resource to complete for does not exist.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const invalid_reference: Reason<"completion/invalid_reference", {
  kind: "invalid_input";
  text: "The reference to complete for is not valid.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const invalid_argument: Reason<"completion/invalid_argument", {
  kind: "invalid_input";
  text: "The argument to complete is not valid.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const failed$6: Reason<"completion/failed", {
  kind: "internal";
  text: "The completion failed.";
  slots: {};
}>;
declare namespace content_d_exports {
  export { invalid_encoding, invalid_type, message_too_large, too_large };
}
declare const message_too_large: Reason<"content/message_too_large", {
  kind: "invalid_input";
  text: "The message is too large[: {actualSize} bytes][, at most {maxSize}].";
  slots: {
    readonly actualSize: Slot<number, true>;
    readonly maxSize: Slot<number, true>;
  };
}>;
declare const invalid_type: Reason<"content/invalid_type", {
  kind: "invalid_input";
  text: "The content type[ {contentType}] is not accepted.";
  slots: {
    readonly contentType: Slot<string, true>;
  };
}>;
declare const too_large: Reason<"content/too_large", {
  kind: "invalid_input";
  text: "A piece of the content is too large[: {actualSize} bytes][, at most {maxSize}].";
  slots: {
    readonly actualSize: Slot<number, true>;
    readonly maxSize: Slot<number, true>;
  };
}>;
declare const invalid_encoding: Reason<"content/invalid_encoding", {
  kind: "invalid_request";
  text: "The content is not valid[ {encoding}][ at byte {position}].";
  slots: {
    readonly encoding: Slot<string, true>;
    readonly position: Slot<number, true>;
  };
}>;
declare namespace core_d_exports {
  export { abnormal_usage, busy, cancelled$2 as cancelled, conflict, internal, invalid_format, misconfigured, missing_field, not_found$5 as not_found, overloaded, precondition_failed, quota_exhausted, rate_limited, timeout$3 as timeout, unavailable, unprocessable, unrecognised, unsupported, upstream_failed$1 as upstream_failed, validation_failed };
}
declare const internal: Reason<"core/internal", {
  kind: "internal";
  text: "The call failed because of an internal error.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const unrecognised: Reason<"core/unrecognised", {
  kind: "unknown";
  text: "The call failed for an unknown reason.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const validation_failed: Reason<"core/validation_failed", {
  kind: "invalid_input";
  text: "The arguments are wrong[: see {field}][ ({constraint})].";
  slots: {
    readonly field: Slot<string, true>;
    readonly constraint: Slot<string, true>;
  };
}>;
declare const missing_field: Reason<"core/missing_field", {
  kind: "invalid_input";
  text: "A required argument is missing[: {field}].";
  slots: {
    readonly field: Slot<string, true>;
  };
}>;
declare const invalid_format: Reason<"core/invalid_format", {
  kind: "invalid_input";
  text: "An argument has the wrong format[: {field}].";
  slots: {
    readonly field: Slot<string, true>;
  };
}>;
declare const unprocessable: Reason<"core/unprocessable", {
  kind: "invalid_input";
  text: "The arguments are well formed but do not go together.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const not_found$5: Reason<"core/not_found", {
  kind: "not_found";
  text: "Not found[: {what}].";
  slots: {
    readonly what: Slot<string, true>;
  };
}>;
declare const conflict: Reason<"core/conflict", {
  kind: "conflict";
  text: "The call conflicts with the current state[: {what}].";
  slots: {
    readonly what: Slot<string, true>;
  };
}>;
declare const rate_limited: Reason<"core/rate_limited", {
  kind: "rate_limited";
  text: "The rate limit[ of {limit}][ per {windowMs}] is reached.";
  slots: {
    readonly limit: Slot<number, true>;
    readonly windowMs: Slot<number, true>;
  };
}>;
declare const quota_exhausted: Reason<"core/quota_exhausted", {
  kind: "quota_exhausted";
  text: "The quota is used up and does not come back soon.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const abnormal_usage: Reason<"core/abnormal_usage", {
  kind: "quota_exhausted";
  text: "These calls look like a loop and are no longer served.";
  slots: {};
}>;
declare const overloaded: Reason<"core/overloaded", {
  kind: "overloaded";
  text: "The service is too busy at the moment.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const busy: Reason<"core/busy", {
  kind: "overloaded";
  text: "Other calls are changing the same data at this moment.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const timeout$3: Reason<"core/timeout", {
  kind: "timeout";
  text: "No answer came in time[ (limit: {timeoutMs})].";
  slots: {
    readonly timeoutMs: Slot<number, true>;
    readonly elapsedMs: Slot<number, true>;
  };
}>;
declare const cancelled$2: Reason<"core/cancelled", {
  kind: "cancelled";
  text: "The call was cancelled before it ended.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const unavailable: Reason<"core/unavailable", {
  kind: "unavailable";
  text: "A service that this call needs cannot be reached.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const misconfigured: Reason<"core/misconfigured", {
  kind: "unavailable";
  text: "A service that this call needs is not set up correctly.";
  slots: {};
}>;
declare const upstream_failed$1: Reason<"core/upstream_failed", {
  kind: "upstream_failed";
  text: "A service that this call needs has failed.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const precondition_failed: Reason<"core/precondition_failed", {
  kind: "precondition_failed";
  text: "Something else has to happen before this call can succeed.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const unsupported: Reason<"core/unsupported", {
  kind: "unsupported";
  text: "This operation is not supported here.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare namespace elicitation_d_exports {
  export { declined, failed$5 as failed, timeout$2 as timeout, url_required };
}
declare const failed$5: Reason<"elicitation/failed", {
  kind: "internal";
  text: "The user could not be asked.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const timeout$2: Reason<"elicitation/timeout", {
  kind: "timeout";
  text: "The user did not answer in time.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const declined: Reason<"elicitation/declined", {
  kind: "cancelled";
  text: "The user declined to answer.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const url_required: Reason<"elicitation/url_required", {
  kind: "approval_required";
  text: "The user has to open a link before this call can succeed.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare namespace idempotency_d_exports {
  export { answer_lost, caller_unknown, in_progress, key_reused, outcome_not_kept, outcome_unknown };
}
declare const key_reused: Reason<"idempotency/key_reused", {
  kind: "conflict";
  text: "This idempotency key was used before with other arguments; a new call needs a new key.";
  slots: {};
}>;
declare const in_progress: Reason<"idempotency/in_progress", {
  kind: "conflict";
  text: "The first call with this idempotency key is still running.";
  slots: {};
}>;
declare const caller_unknown: Reason<"idempotency/caller_unknown", {
  kind: "precondition_failed";
  text: "The server does not know whose idempotency key this is: nobody is signed in.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const outcome_unknown: Reason<"idempotency/outcome_unknown", {
  kind: "unavailable";
  text: "The first call with this idempotency key did not end in time, and its outcome is unknown.";
  slots: {};
}>;
declare const answer_lost: Reason<"idempotency/answer_lost", {
  kind: "unavailable";
  text: "The connection was lost before the answer came; with the same idempotency key the call does not run twice.";
  slots: {};
}>;
declare const outcome_not_kept: Reason<"idempotency/outcome_not_kept", {
  kind: "conflict";
  text: "The first call with this idempotency key is done, but its result was too long to keep.";
  slots: {};
}>;
declare namespace notification_d_exports {
  export { failed$4 as failed };
}
declare const failed$4: Reason<"notification/failed", {
  kind: "unavailable";
  text: "The notification[ {notificationType}] could not be delivered[: {reason}].";
  slots: {
    readonly notificationType: Slot<string, true>;
    readonly reason: Slot<string, true>;
  };
}>;
declare namespace pagination_d_exports {
  export { cursor_expired, invalid_cursor };
}
declare const invalid_cursor: Reason<"pagination/invalid_cursor", {
  kind: "invalid_input";
  text: "The cursor is not valid; without a cursor the list starts again.";
  slots: {
    readonly cursor: Slot<string, true>;
  };
}>;
declare const cursor_expired: Reason<"pagination/cursor_expired", {
  kind: "precondition_failed";
  text: "The cursor has expired[ after {ttlMs}]; without a cursor the list starts again.";
  slots: {
    readonly cursor: Slot<string, true>;
    readonly ttlMs: Slot<number, true>;
  };
}>;
declare namespace progress_d_exports {
  export { invalid_token, token_expired };
}
declare const invalid_token: Reason<"progress/invalid_token", {
  kind: "invalid_request";
  text: "The progress token belongs to no request in flight.";
  slots: {
    readonly progressToken: Slot<string, true>;
  };
}>;
declare const token_expired: Reason<"progress/token_expired", {
  kind: "precondition_failed";
  text: "The progress token is no longer in use, since its request has ended.";
  slots: {};
}>;
declare namespace prompt_d_exports {
  export { argument_missing, not_found$4 as not_found, render_failed };
}
declare const not_found$4: Reason<"prompt/not_found", {
  kind: "not_found";
  text: "No such prompt[: {prompt}].";
  slots: {
    readonly prompt: Slot<string, true>;
  };
}>;
declare const argument_missing: Reason<"prompt/argument_missing", {
  kind: "invalid_input";
  text: "A required argument of the prompt[ {prompt}] is missing[: {argument}].";
  slots: {
    readonly prompt: Slot<string, true>;
    readonly argument: Slot<string, true>;
  };
}>;
declare const render_failed: Reason<"prompt/render_failed", {
  kind: "internal";
  text: "The prompt could not be rendered.";
  slots: {};
}>;
declare namespace protocol_d_exports {
  export { bad_request, capability_not_supported, header_mismatch, http_method, invalid_params, invalid_request, invalid_result, malformed_call, method_not_found, missing_client_capability, negotiation_failed, not_initialized, parse_error, request_state_invalid, rounds_exceeded, session_not_found, version_mismatch, version_unsupported };
}
declare const parse_error: Reason<"protocol/parse_error", {
  kind: "invalid_request";
  text: "The message is not valid JSON.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const invalid_request: Reason<"protocol/invalid_request", {
  kind: "invalid_request";
  text: "The message is not a valid request.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const method_not_found: Reason<"protocol/method_not_found", {
  kind: "unsupported";
  text: "This server does not offer the method[ {method}].";
  slots: {
    readonly method: Slot<string, true>;
  };
}>;
declare const invalid_params: Reason<"protocol/invalid_params", {
  kind: "invalid_input";
  text: "The parameters of the request are not valid.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const bad_request: Reason<"protocol/bad_request", {
  kind: "invalid_request";
  text: "The request is malformed.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const malformed_call: Reason<"protocol/malformed_call", {
  kind: "invalid_request";
  text: "The call is malformed: a call has the name of a tool, and arguments that are an object.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const http_method: Reason<"protocol/http_method", {
  kind: "unsupported";
  text: "This address accepts only POST.";
  slots: {};
}>;
declare const capability_not_supported: Reason<"protocol/capability_not_supported", {
  kind: "unsupported";
  text: "The server does not have the capability that this request needs[: {capability}].";
  slots: {
    readonly capability: Slot<string, true>;
  };
}>;
declare const missing_client_capability: Reason<"protocol/missing_client_capability", {
  kind: "unsupported";
  text: "The client did not declare the capability that this request needs[: {capabilities}].";
  slots: {
    readonly capabilities: Slot<readonly string[], true>;
  };
}>;
declare const not_initialized: Reason<"protocol/not_initialized", {
  kind: "precondition_failed";
  text: "The connection is not initialised yet[ (phase {phase})].";
  slots: {
    readonly phase: Slot<string, true>;
  };
}>;
declare const version_unsupported: Reason<"protocol/version_unsupported", {
  kind: "unsupported";
  text: "The protocol version is not supported[; supported are {supported}].";
  slots: {
    readonly requested: Slot<string, true>;
    readonly supported: Slot<readonly string[], true>;
  };
}>;
declare const version_mismatch: Reason<"protocol/version_mismatch", {
  kind: "unsupported";
  text: "Client and server have no protocol version in common.";
  slots: {};
}>;
declare const negotiation_failed: Reason<"protocol/negotiation_failed", {
  kind: "unsupported";
  text: "Client and server could not agree on their capabilities.";
  slots: {};
}>;
declare const header_mismatch: Reason<"protocol/header_mismatch", {
  kind: "invalid_request";
  text: "A header of the request is missing or contradicts its body.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const session_not_found: Reason<"protocol/session_not_found", {
  kind: "unavailable";
  text: "The session is not known to the server, so the connection has to be made anew.";
  slots: {};
}>;
declare const invalid_result: Reason<"protocol/invalid_result", {
  kind: "internal";
  text: "The server answered with a result that is not valid.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const request_state_invalid: Reason<"protocol/request_state_invalid", {
  kind: "invalid_request";
  text: "The state of this exchange is invalid or expired.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const rounds_exceeded: Reason<"protocol/rounds_exceeded", {
  kind: "internal";
  text: "The server asked for more input too many times.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare namespace resource_d_exports {
  export { access_denied, invalid_uri, not_found$3 as not_found, subscription_failed, template_not_found, template_render_failed, uri_syntax };
}
declare const not_found$3: Reason<"resource/not_found", {
  kind: "not_found";
  text: "No such resource[: {uri}].";
  slots: {
    readonly uri: Slot<string, true>;
  };
}>;
declare const template_not_found: Reason<"resource/template_not_found", {
  kind: "not_found";
  text: "No such resource template[: {uriTemplate}].";
  slots: {
    readonly uriTemplate: Slot<string, true>;
  };
}>;
declare const invalid_uri: Reason<"resource/invalid_uri", {
  kind: "invalid_input";
  text: "The URI of the resource is not valid[: {reason}].";
  slots: {
    readonly uri: Slot<string, true>;
    readonly reason: Slot<string, true>;
  };
}>;
declare const uri_syntax: Reason<"resource/uri_syntax", {
  kind: "invalid_input";
  text: "The URI of the resource has a syntax error.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const access_denied: Reason<"resource/access_denied", {
  kind: "forbidden";
  text: "Access to the resource[ {uri}] is not allowed[ without {requiredPermission}].";
  slots: {
    readonly uri: Slot<string, true>;
    readonly requiredPermission: Slot<string, true>;
  };
}>;
declare const template_render_failed: Reason<"resource/template_render_failed", {
  kind: "invalid_input";
  text: "The resource template[ {uriTemplate}] could not be filled in[: {reason}].";
  slots: {
    readonly uriTemplate: Slot<string, true>;
    readonly reason: Slot<string, true>;
  };
}>;
declare const subscription_failed: Reason<"resource/subscription_failed", {
  kind: "conflict";
  text: "The subscription[ to {uri}] could not be made[: {reason}].";
  slots: {
    readonly uri: Slot<string, true>;
    readonly reason: Slot<string, true>;
  };
}>;
declare namespace rest_d_exports {
  export { gone, invalid_arguments$1 as invalid_arguments, key_missing, legal, locked, not_found$2 as not_found, not_taken, out_of_range, payment_required, protocol_mismatch, refused, rejected, response_too_large, route_missing, stale, unexpected_content, unexpected_redirect, upstream_account, upstream_auth, upstream_failed, upstream_forbidden, workspace_missing, wrong_state };
}
declare const invalid_arguments$1: Reason<"rest/invalid_arguments", {
  kind: "invalid_input";
  text: "The service rejected the arguments.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const workspace_missing: Reason<"rest/workspace_missing", {
  kind: "invalid_input";
  text: "This key spans several workspaces, so the call has to name a workspace.";
  slots: {};
}>;
declare const wrong_state: Reason<"rest/wrong_state", {
  kind: "precondition_failed";
  text: "The item exists, but its state does not allow this operation.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const upstream_failed: Reason<"rest/upstream_failed", {
  kind: "upstream_failed";
  text: "The service behind this tool reported a failure of its own.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const not_found$2: Reason<"rest/not_found", {
  kind: "not_found";
  text: "The item does not exist, or is not accessible.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const gone: Reason<"rest/gone", {
  kind: "not_found";
  text: "The item is gone for good.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const stale: Reason<"rest/stale", {
  kind: "conflict";
  text: "The item was changed meanwhile.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const locked: Reason<"rest/locked", {
  kind: "precondition_failed";
  text: "The item is locked at the moment.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const payment_required: Reason<"rest/payment_required", {
  kind: "precondition_failed";
  text: "The service demands a payment first.";
  slots: {};
}>;
declare const legal: Reason<"rest/legal", {
  kind: "forbidden";
  text: "The service may not do this for legal reasons.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const rejected: Reason<"rest/rejected", {
  kind: "forbidden";
  text: "The service rejected the request for reasons of security.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const out_of_range: Reason<"rest/out_of_range", {
  kind: "invalid_input";
  text: "An argument asks for something beyond the range that exists.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const key_missing: Reason<"rest/key_missing", {
  kind: "invalid_request";
  text: "The service takes this call only with an idempotency key, and none was sent.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const not_taken: Reason<"rest/not_taken", {
  kind: "overloaded";
  text: "The service did not take the request at this moment and did nothing with it.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const refused: Reason<"rest/refused", {
  kind: "unknown";
  text: "The service refused the request[ with HTTP status {status}].";
  slots: {
    readonly status: Slot<number, true>;
  };
}>;
declare const unexpected_redirect: Reason<"rest/unexpected_redirect", {
  kind: "unavailable";
  text: "The service answered with a redirect that is not followed.";
  slots: {};
}>;
declare const unexpected_content: Reason<"rest/unexpected_content", {
  kind: "upstream_failed";
  text: "The service answered with content that cannot be read here.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const response_too_large: Reason<"rest/response_too_large", {
  kind: "upstream_failed";
  text: "The answer of the service is too large to be passed on.";
  slots: {};
}>;
declare const upstream_auth: Reason<"rest/upstream_auth", {
  kind: "unavailable";
  text: "The service behind this tool is not available.";
  slots: {};
}>;
declare const upstream_forbidden: Reason<"rest/upstream_forbidden", {
  kind: "unavailable";
  text: "The service behind this tool is not available for this operation.";
  slots: {};
}>;
declare const upstream_account: Reason<"rest/upstream_account", {
  kind: "unavailable";
  text: "The service behind this tool does not serve this server's account at the moment.";
  slots: {};
}>;
declare const protocol_mismatch: Reason<"rest/protocol_mismatch", {
  kind: "unavailable";
  text: "The service behind this tool does not take requests of this format.";
  slots: {};
}>;
declare const route_missing: Reason<"rest/route_missing", {
  kind: "unavailable";
  text: "The service behind this tool does not have this operation at its address.";
  slots: {};
}>;
declare namespace sampling_d_exports {
  export { failed$3 as failed };
}
declare const failed$3: Reason<"sampling/failed", {
  kind: "upstream_failed";
  text: "The model that was asked did not answer[: {reason}].";
  slots: {
    readonly reason: Slot<string, true>;
  };
}>;
declare namespace task_d_exports {
  export { cancelled$1 as cancelled, failed$2 as failed, not_found$1 as not_found, timeout$1 as timeout };
}
declare const not_found$1: Reason<"task/not_found", {
  kind: "not_found";
  text: "No such task[: {taskId}].";
  slots: {
    readonly taskId: Slot<string, true>;
  };
}>;
declare const failed$2: Reason<"task/failed", {
  kind: "internal";
  text: "The task[ {taskId}] failed[: {reason}].";
  slots: {
    readonly taskId: Slot<string, true>;
    readonly reason: Slot<string, true>;
  };
}>;
declare const cancelled$1: Reason<"task/cancelled", {
  kind: "cancelled";
  text: "The task[ {taskId}] was cancelled.";
  slots: {
    readonly taskId: Slot<string, true>;
  };
}>;
declare const timeout$1: Reason<"task/timeout", {
  kind: "timeout";
  text: "The task[ {taskId}] did not end in time[ (limit: {timeoutMs})].";
  slots: {
    readonly taskId: Slot<string, true>;
    readonly timeoutMs: Slot<number, true>;
  };
}>;
declare namespace tool_d_exports {
  export { cancelled, description_too_long, execution_failed, failed$1 as failed, invalid_arguments, not_found, output_invalid, result_too_large, result_unsendable, timeout, unreachable$1 as unreachable };
}
declare const not_found: Reason<"tool/not_found", {
  kind: "not_found";
  text: "No such tool[: {tool}].";
  slots: {
    readonly tool: Slot<string, true>;
  };
}>;
declare const unreachable$1: Reason<"tool/unreachable", {
  kind: "not_found";
  text: "This tool is not available to you.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const invalid_arguments: Reason<"tool/invalid_arguments", {
  kind: "invalid_input";
  text: "Wrong arguments[ for the tool {tool}].";
  slots: {
    readonly tool: Slot<string, true>;
    readonly details: Slot<string, true>;
  };
}>;
declare const failed$1: Reason<"tool/failed", {
  kind: "unknown";
  text: "The tool[ {tool}] reported a failure.";
  slots: {
    readonly tool: Slot<string, true>;
  };
}>;
declare const execution_failed: Reason<"tool/execution_failed", {
  kind: "internal";
  text: "The tool[ {tool}] failed[: {reason}].";
  slots: {
    readonly tool: Slot<string, true>;
    readonly reason: Slot<string, true>;
  };
}>;
declare const timeout: Reason<"tool/timeout", {
  kind: "timeout";
  text: "The tool[ {tool}] did not end in time[ (limit: {timeoutMs})].";
  slots: {
    readonly tool: Slot<string, true>;
    readonly timeoutMs: Slot<number, true>;
  };
}>;
declare const cancelled: Reason<"tool/cancelled", {
  kind: "cancelled";
  text: "The tool[ {tool}] was cancelled[: {reason}].";
  slots: {
    readonly tool: Slot<string, true>;
    readonly reason: Slot<string, true>;
  };
}>;
declare const description_too_long: Reason<"tool/description_too_long", {
  kind: "invalid_input";
  text: "The description of the tool is too long[: {actualLength} characters][, at most {maxLength}].";
  slots: {
    readonly actualLength: Slot<number, true>;
    readonly maxLength: Slot<number, true>;
  };
}>;
declare const output_invalid: Reason<"tool/output_invalid", {
  kind: "internal";
  text: "The tool ran, but its result breaks its output schema.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const result_unsendable: Reason<"tool/result_unsendable", {
  kind: "internal";
  text: "The tool ran, but its result could not be sent.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const result_too_large: Reason<"tool/result_too_large", {
  kind: "invalid_input";
  text: "The result is too large[: at most {maxSize} bytes]; ask for less, or page by page.";
  slots: {
    readonly maxSize: Slot<number, true>;
  };
}>;
declare namespace transport_d_exports {
  export { breaker_open, connection_lost, exited, failed, http_failed, not_connected, not_sent, unreachable };
}
declare const failed: Reason<"transport/failed", {
  kind: "unavailable";
  text: "The connection to the server failed[: {reason}].";
  slots: {
    readonly reason: Slot<string, true>;
  };
}>;
declare const unreachable: Reason<"transport/unreachable", {
  kind: "unavailable";
  text: "The server could not be reached; the call was not sent.";
  slots: {};
}>;
declare const connection_lost: Reason<"transport/connection_lost", {
  kind: "unavailable";
  text: "The connection was lost before the answer came.";
  slots: Readonly<Record<never, AnySlot>>;
}>;
declare const exited: Reason<"transport/exited", {
  kind: "unavailable";
  text: "The server's process ended[ with code {exitCode}] before the answer came.";
  slots: {
    readonly exitCode: Slot<number, true>;
  };
}>;
declare const not_connected: Reason<"transport/not_connected", {
  kind: "unavailable";
  text: "The client is not connected to the server; the call was not sent.";
  slots: {};
}>;
declare const not_sent: Reason<"transport/not_sent", {
  kind: "timeout";
  text: "The time for this call was over before it was sent.";
  slots: {};
}>;
declare const breaker_open: Reason<"transport/breaker_open", {
  kind: "unavailable";
  text: "Recent calls[ of the tool {tool}] failed, so this call was not sent.";
  slots: {
    readonly tool: Slot<string, true>;
  };
}>;
declare const http_failed: Reason<"transport/http_failed", {
  kind: "upstream_failed";
  text: "The server answered with HTTP status {status}.";
  slots: {
    readonly status: Slot<number, false>;
  };
}>;
declare function combineSinks(...sinks: readonly Sink[]): Sink;
interface StderrSinkOptions {
  readonly write?: (text: string) => unknown;
}
declare function stderrSink(options?: StderrSinkOptions): Sink;
interface LoggerLike {
  error(fields: object, message: string): unknown;
  fatal?(fields: object, message: string): unknown;
  warn?(fields: object, message: string): unknown;
  info?(fields: object, message: string): unknown;
}
declare function loggerSink(logger: LoggerLike): Sink;
interface DeclaringTool {
  readonly name: string;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations?: {
    readonly readOnlyHint?: boolean | undefined;
    readonly idempotentHint?: boolean | undefined;
  } | undefined;
}
interface FailureTableOptions {
  readonly dialect: Dialect<unknown>;
}
declare function declares(...reasons: readonly AnyReason[]): Readonly<Record<string, readonly string[]>>;
interface CallerRequest {
  readonly headers: Headers;
  readonly sessionId: string | undefined;
}
type CallerName = string | number | bigint | null | undefined;
type CallerRule = (auth: unknown, request: CallerRequest) => CallerName | Promise<CallerName>;
interface IdempotencyClaim {
  readonly owner: string;
  readonly deadlineMs: number | undefined;
  readonly honoured: boolean;
}
type IdempotencyState = {
  readonly state: "new";
  readonly fence: number;
  readonly isTakenOver?: boolean;
} | {
  readonly state: "running" | "unknown" | "other";
} | {
  readonly state: "settled";
  readonly outcome: string | undefined;
};
type FoundIdempotencyState = Exclude<IdempotencyState, {
  readonly state: "new";
}> | {
  readonly state: "absent";
};
interface IdempotencyStore {
  begin(key: string, digest: string, claim: IdempotencyClaim): Promise<IdempotencyState>;
  settle(key: string, fence: number, outcome: string): Promise<void>;
  release(key: string, fence: number): Promise<void>;
  extend?(key: string, fence: number, deadlineMs: number): Promise<boolean>;
}
interface SearchableIdempotencyStore extends IdempotencyStore {
  find(key: string, digest: string): Promise<FoundIdempotencyState>;
}
interface ExtendableIdempotencyStore extends SearchableIdempotencyStore {
  extend(key: string, fence: number, deadlineMs: number): Promise<boolean>;
}
interface MemoryIdempotencyOptions {
  readonly maxKeys?: number;
  readonly maxLength?: number;
  readonly maxOutcomeLength?: number;
  readonly maxKeysPerCaller?: number;
  readonly keepMs?: number;
  readonly testing?: TestingOptions;
}
declare function memoryIdempotency(options?: MemoryIdempotencyOptions): ExtendableIdempotencyStore;
interface DeadlineTarget {
  readonly method: string;
  readonly tool?: string | undefined;
}
interface GuardIdempotencyOptions {
  readonly store?: IdempotencyStore;
  readonly honoursKeys?: boolean;
  readonly caller?: CallerRule;
  readonly forwardsKey?: (tool: string) => boolean;
}
interface GuardOptions {
  readonly sink?: Sink;
  readonly telemetry?: Telemetry;
  readonly foreignText?: ForeignText;
  readonly allow?: readonly RuleGroup[];
  readonly speaksFaults?: boolean;
  readonly dialect?: DialectChoice;
  readonly name?: string;
  readonly docsBase?: string;
  readonly deadlineMs?: number | ((target: DeadlineTarget) => number | undefined);
  readonly checkArguments?: boolean;
  readonly idempotency?: GuardIdempotencyOptions;
  readonly looksFailed?: {
    readonly test?: (result: unknown) => boolean; 
    readonly answer?: "report" | "fail" | "ignore";
  };
  readonly reportCallerErrors?: boolean;
  readonly testing?: TestingOptions;
}
interface GuardStats {
  readonly late: number;
  readonly looksFailed: number;
}
interface DialectRequest {
  readonly method: string;
  readonly meta: object;
}
type DialectChoice = Dialect<unknown> | ((request: DialectRequest) => Dialect<unknown>);
type JsonSchema = boolean | Readonly<Record<string, unknown>>;
type Authentication = {
  readonly ok: true; 
  readonly auth?: unknown;
} | {
  readonly ok: false; 
  readonly challenge?: "unauthenticated" | {
    readonly scopes: readonly string[];
  }; 
  readonly auth?: unknown;
};
type Authenticate = (request: Request) => Authentication | Promise<Authentication>;
interface AuthorizationRequest {
  readonly request: Request;
  readonly auth: unknown;
  readonly message: unknown;
}
type Authorize = (request: AuthorizationRequest) => Authentication | Promise<Authentication>;
interface HandlerBodyOptions {
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  readonly passParsed?: boolean;
}
interface HandlerAuthOptions {
  readonly authenticate?: Authenticate;
  readonly authorize?: Authorize;
  readonly resourceMetadata?: string;
  readonly scopes?: readonly string[];
}
interface HandlerOptions {
  readonly foreignText?: ForeignText;
  readonly allow?: readonly RuleGroup[];
  readonly speaksFaults?: boolean;
  readonly dialect?: DialectChoice;
  readonly allowedHosts?: readonly string[] | "any";
  readonly allowedOrigins?: readonly string[] | "any";
  readonly body?: HandlerBodyOptions;
  readonly auth?: HandlerAuthOptions;
  readonly methods?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly sink?: Sink;
  readonly name?: string;
  readonly docsBase?: string;
  readonly reportCallerErrors?: boolean;
  readonly testing?: TestingOptions;
}
declare function toFaultLater(thrown: unknown, options?: ToFaultOptions): Promise<Fault>;
declare function checkArgumentsLater(args: unknown, schema: JsonSchema): Promise<readonly Issue[]>;
declare function redactedErrorLater(incident: Pick<Incident, "fault" | "cause" | "secrets">): Promise<Error>;
declare function failureTableLater(tools: readonly DeclaringTool[], options: FailureTableOptions): Promise<string>;
declare function guard<T extends object>(server: T, given?: GuardOptions): T;
declare function isGuarded(server: object): boolean;
declare function guardStats(server: object): GuardStats;
interface GuardToolOptions extends Pick<GuardOptions, "sink" | "foreignText" | "allow" | "speaksFaults" | "name" | "docsBase" | "reportCallerErrors" | "testing"> {
  readonly annotations?: {
    readonly readOnlyHint?: boolean | undefined;
    readonly idempotentHint?: boolean | undefined;
  } | undefined;
}
interface ToolFailure {
  isError: true;
  content: {
    type: "text";
    text: string;
  }[];
  _meta: Record<string, unknown>;
}
declare function guardTool<A extends readonly unknown[], R>(tool: string, run: (...args: A) => R | Promise<R>, options?: GuardToolOptions): (...args: A) => Promise<R | ToolFailure>;
type HandlerFunction = (request: Request, extra?: never, ...rest: never[]) => Promise<Response> | Response;
interface HandlerObject {
  readonly fetch: HandlerFunction;
}
declare function guardHandler<H extends HandlerFunction | HandlerObject>(handler: H, options?: HandlerOptions): H;
interface NodeRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly readableDidRead?: boolean;
  readonly socket?: {
    readonly localAddress?: string | undefined;
  } | null;
  resume(): unknown;
}
interface NodeResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly destroyed: boolean;
  setHeader(name: string, value: string | readonly string[]): unknown;
  removeHeader(name: string): unknown;
  writeHead(status: number): unknown;
  write(chunk: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  on(event: "close" | "drain", listener: () => void): unknown;
}
interface WrappedRequest {
  readonly raw: NodeRequest;
  readonly body?: unknown;
}
interface WrappedResponse {
  readonly raw: NodeResponse;
  hijack(): unknown;
  getHeaders(): Readonly<Record<string, number | string | readonly string[] | undefined>>;
}
type NodeListener = (request: NodeRequest | WrappedRequest, response: NodeResponse | WrappedResponse, 
parsedBody?: unknown) => Promise<void>;
declare function toNodeListener(handler: HandlerFunction | HandlerObject): NodeListener;
type EdgeErrorHandler = (error: unknown, request: NodeRequest | WrappedRequest, response: NodeResponse | WrappedResponse, next?: (error?: unknown) => void) => Promise<void>;
declare function edgeErrorHandler(options?: HandlerOptions): EdgeErrorHandler;
interface TextWriter {
  write(text: string): unknown;
}
interface StdinLike {
  emit(event: any, ...args: any[]): boolean;
}
interface StdinOptions extends Pick<GuardOptions, "sink" | "name" | "docsBase" | "dialect" | "testing"> {
  readonly maxBytes?: number;
  readonly stream?: StdinLike;
  readonly output?: TextWriter;
}
interface StdinGuard {
  release(): void;
  refused(): number;
}
declare function guardStdin(options?: StdinOptions): StdinGuard;
interface StdoutLike {
  write(...args: any[]): boolean;
  readonly writableNeedDrain?: boolean;
}
interface StdoutOptions {
  readonly divert?: (line: string) => unknown;
  readonly stream?: StdoutLike;
}
interface StdoutGuard {
  release(): void;
  diverted(): number;
}
declare function guardStdout(options?: StdoutOptions): StdoutGuard;
interface FailedOperation {
  readonly side?: "server" | "client" | undefined;
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
  readonly code?: number | undefined;
  readonly isError?: boolean | undefined;
}
type Attributes = Readonly<Record<string, string>>;
declare function faultAttributes(fault: Fault, operation?: FailedOperation): Attributes;
type OtelAttributes = Record<string, string | number>;
interface OtelSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}
interface OtelSpan {
  spanContext(): OtelSpanContext;
  setAttributes(attributes: OtelAttributes): unknown;
  setStatus(status: {
    code: number;
    message?: string;
  }): unknown;
  updateName(name: string): unknown;
  end(): void;
}
interface OtelSpanOptions {
  readonly kind?: number;
  readonly attributes?: OtelAttributes;
  readonly links?: {
    readonly context: OtelSpanContext;
  }[];
}
interface OtelMeter {
  createHistogram(name: string, options: object): {
    record(value: number, attributes: OtelAttributes): void;
  };
  createCounter(name: string, options: object): {
    add(value: number, attributes: OtelAttributes): void;
  };
}
interface OpenTelemetryApi {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options?: OtelSpanOptions, context?: object): OtelSpan;
    }; 
    getSpan(context: object): {
      spanContext(): OtelSpanContext;
    } | undefined; 
    setSpan(context: object, span: OtelSpan): object;
  };
  readonly context: {
    active(): object; 
    with(context: object, run: () => unknown): unknown;
  };
  readonly propagation: {
    inject(context: object, carrier: object): void; 
    extract(context: object, carrier: object): object;
  };
  readonly metrics: {
    getMeter(name: string): OtelMeter;
  };
}
interface SpanLike {
  setAttributes(attributes: Record<string, string>): unknown;
  setStatus(status: {
    code: number;
    message?: string;
  }): unknown;
  addEvent(name: string, attributes?: Record<string, string>): unknown;
}
interface OtelApi {
  readonly trace: {
    getActiveSpan(): SpanLike | undefined;
  };
}
interface OtelSinkOptions {
  readonly side?: "server" | "client";
}
declare function otelSink(api: OtelApi, options?: OtelSinkOptions): Sink;
interface OpenTelemetryOptions {
  readonly continueTraces?: boolean;
  readonly testing?: TestingOptions;
}
declare function openTelemetry(api: OpenTelemetryApi, options?: OpenTelemetryOptions): Telemetry;
