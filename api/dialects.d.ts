// The public API of @recourse/dialects, written by `npm run build && node scripts/api-report.ts`.

// @recourse/dialects/closient
//   ClosientContext
//   ClosientWire
//   closient

// @recourse/dialects/erlmcp
//   ErlmcpDialect
//   ErlmcpWire
//   erlmcp

// @recourse/dialects/onx
//   OnxWire
//   onx

// @recourse/dialects/platica
//   PlaticaContext
//   PlaticaWire
//   platica

// @recourse/dialects/qaqnuz
//   QaqnuzContext
//   QaqnuzWire
//   qaqnuz

declare const CLASSES: readonly ["validation", "permission", "retryable", "dependency", "terminal"];
type FaultClass = (typeof CLASSES)[number];
declare const EFFECTS: readonly ["none", "possible", "applied"];
type Effect = (typeof EFFECTS)[number];
declare const MOVES: readonly ["retry", "authenticate", "fix_input", "choose_another", "refresh", "do_first", "ask_user", "stop"];
type Move = (typeof MOVES)[number];
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
type JsonObject = Readonly<Record<string, unknown>>;
declare const SEVERITIES: readonly ["critical", "error", "warning", "info"];
type Severity = (typeof SEVERITIES)[number];
declare const RULE_GROUPS: readonly ["credential", "database", "hostile", "host", "path", "personal", "provider", "url"];
type RuleGroup = (typeof RULE_GROUPS)[number];
interface SecretFilter {
  readonly size: number;
  has(text: string): boolean;
}
interface FilterOptions {
  readonly secrets?: SecretFilter | undefined;
  readonly allow?: readonly RuleGroup[] | undefined;
  readonly textPolicy?: TextPolicy | undefined;
  readonly callerTexts?: readonly string[] | undefined;
}
type TextPolicy = "author" | "foreign" | "received" | "checked";
type ForeignText = "hide" | "public" | "quote";
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
interface ErrorData<E> {
  readonly structuredContent?: {
    readonly error: E;
  };
}
interface OwnCodes {
  readonly codes: Readonly<Record<string, TableReason>>;
}
interface ExtensibleDialect<Wire, Encode extends EncodeContext = EncodeContext, Decode extends DecodeContext = DecodeContext> extends Dialect<Wire, Encode, Decode> {
  readonly codes: DialectCodes<Encode>;
  with(own: OwnCodes): ExtensibleDialect<Wire, Encode, Decode>;
}
interface ClosientContext extends EncodeContext {
  readonly form?: "result" | "reply" | undefined;
}
interface ClosientReply {
  readonly status: number;
  readonly headers: {
    readonly "content-type": "application/problem+json";
  };
  readonly body: JsonObject;
}
interface ClosientError {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject;
}
interface ClosientResult {
  readonly result: ErrorData<ClosientError> & {
    readonly content: readonly [{
      readonly type: "text";
      readonly text: string;
    }];
    readonly isError: true;
    readonly error: ClosientError;
    readonly _meta?: JsonObject;
  };
}
type ClosientWire = ClosientResult | ClosientReply;
declare const closient: ExtensibleDialect<ClosientWire, ClosientContext>;
type OnxWire = {
  readonly result: ErrorData<OnxError> & {
    readonly content: readonly [{
      readonly type: "text";
      readonly text: string;
    }];
    readonly isError: true;
    readonly error: OnxError;
    readonly _meta: JsonObject;
  };
} | {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data?: JsonObject;
  };
};
interface OnxError {
  readonly code: number;
  readonly message: string;
  readonly retryable: boolean;
  readonly details: OnxDetails;
}
interface OnxDetails {
  readonly field?: string;
  readonly reason?: string;
  readonly suggestion: string;
  readonly context?: JsonObject;
  readonly originalError?: string;
}
declare const ERLMCP_DEFAULTS: {
  readonly maxDescriptionLength: 10000;
  readonly maxMessageBytes: 16777216;
  readonly retryAfterMs: 30000;
};
declare const ERROR_CATEGORIES: {
  readonly jsonrpc: {
    readonly from: -32700;
    readonly to: -32600;
    readonly reason: Reason<"protocol/invalid_request", {
      kind: "invalid_request";
      text: "The message is not a valid request.";
      slots: Readonly<Record<never, AnySlot>>;
    }>;
  };
  readonly mcp_core: {
    readonly from: -32010;
    readonly to: -32001;
    readonly reason: Reason<"core/internal", {
      kind: "internal";
      text: "The call failed because of an internal error.";
      slots: Readonly<Record<never, AnySlot>>;
    }>;
  };
  readonly content: {
    readonly from: -32020;
    readonly to: -32011;
    readonly reason: Reason<"core/validation_failed", {
      kind: "invalid_input";
      text: "The arguments are wrong[: see {field}][ ({constraint})].";
      slots: {
        readonly field: Slot<string, true>;
        readonly constraint: Slot<string, true>;
      };
    }>;
  };
  readonly resource: {
    readonly from: -32030;
    readonly to: -32021;
    readonly reason: Reason<"core/validation_failed", {
      kind: "invalid_input";
      text: "The arguments are wrong[: see {field}][ ({constraint})].";
      slots: {
        readonly field: Slot<string, true>;
        readonly constraint: Slot<string, true>;
      };
    }>;
  };
  readonly tool: {
    readonly from: -32040;
    readonly to: -32031;
    readonly reason: Reason<"tool/execution_failed", {
      kind: "internal";
      text: "The tool[ {tool}] failed[: {reason}].";
      slots: {
        readonly tool: Slot<string, true>;
        readonly reason: Slot<string, true>;
      };
    }>;
  };
  readonly prompt: {
    readonly from: -32050;
    readonly to: -32041;
    readonly reason: Reason<"core/internal", {
      kind: "internal";
      text: "The call failed because of an internal error.";
      slots: Readonly<Record<never, AnySlot>>;
    }>;
  };
  readonly auth: {
    readonly from: -32060;
    readonly to: -32051;
    readonly reason: Reason<"auth/access_denied", {
      kind: "forbidden";
      text: "Access is denied.";
      slots: Readonly<Record<never, AnySlot>>;
    }>;
  };
  readonly protocol: {
    readonly from: -32070;
    readonly to: -32061;
    readonly reason: Reason<"protocol/negotiation_failed", {
      kind: "unsupported";
      text: "Client and server could not agree on their capabilities.";
      slots: {};
    }>;
  };
  readonly pagination: {
    readonly from: -32080;
    readonly to: -32071;
    readonly reason: Reason<"pagination/invalid_cursor", {
      kind: "invalid_input";
      text: "The cursor is not valid; without a cursor the list starts again.";
      slots: {
        readonly cursor: Slot<string, true>;
      };
    }>;
  };
  readonly task: {
    readonly from: -32090;
    readonly to: -32081;
    readonly reason: Reason<"task/failed", {
      kind: "internal";
      text: "The task[ {taskId}] failed[: {reason}].";
      slots: {
        readonly taskId: Slot<string, true>;
        readonly reason: Slot<string, true>;
      };
    }>;
  };
  readonly progress: {
    readonly from: -32100;
    readonly to: -32091;
    readonly reason: Reason<"core/internal", {
      kind: "internal";
      text: "The call failed because of an internal error.";
      slots: Readonly<Record<never, AnySlot>>;
    }>;
  };
  readonly completion: {
    readonly from: -32113;
    readonly to: -32110;
    readonly reason: Reason<"completion/failed", {
      kind: "internal";
      text: "The completion failed.";
      slots: {};
    }>;
  };
  readonly experimental: {
    readonly from: 1090;
    readonly to: 1099;
    readonly reason: Reason<"core/internal", {
      kind: "internal";
      text: "The call failed because of an internal error.";
      slots: Readonly<Record<never, AnySlot>>;
    }>;
  };
};
type ErrorCategory = keyof typeof ERROR_CATEGORIES;
interface ErlmcpWire {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data?: JsonObject | string;
  };
}
type Literal<M extends string> = M extends unknown ? Record<never, never> extends Record<M, unknown> ? never : M : never;
interface ErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data?: JsonObject | string;
  };
}
declare function createErrorResponse<const M extends string>(id: string | number | undefined, code: number, message: M & Literal<M>, data?: string | Readonly<Record<string, Param>>): ErrorResponse;
interface ErlmcpDialect extends ExtensibleDialect<ErlmcpWire> {
  with(own: OwnCodes): ErlmcpDialect;
  readonly validateErrorCode: (code: number) => boolean;
  readonly errorCategory: (code: number) => ErrorCategory | undefined;
  readonly errorSeverity: (code: number) => Severity;
  readonly createErrorResponse: typeof createErrorResponse;
  readonly defaults: typeof ERLMCP_DEFAULTS;
}
declare const erlmcp: ErlmcpDialect;
interface CarriedMembers {
  readonly effect?: Effect;
  readonly basis?: Basis;
  readonly incident?: string;
}
interface QaqnuzContext extends EncodeContext {
  readonly form?: "wire" | "envelope" | undefined;
}
interface QaqnuzReply {
  readonly result: {
    readonly content: readonly [{
      readonly type: "text";
      readonly text: string;
    }];
    readonly isError: true;
    readonly _meta: JsonObject;
  };
}
interface QaqnuzEnvelope extends CarriedMembers {
  readonly error_class: string;
  readonly sanitized_error: string;
  readonly retry_hint?: JsonObject;
}
type QaqnuzWire = QaqnuzReply | QaqnuzEnvelope;
declare const qaqnuz: Dialect<QaqnuzWire, QaqnuzContext>;
interface PlaticaContext extends EncodeContext {
  readonly raw?: string | undefined;
  readonly secrets?: SecretFilter | undefined;
}
type PlaticaWire = {
  readonly result: {
    readonly isError: true;
    readonly content: readonly [{
      readonly type: "text";
      readonly text: string;
    }];
    readonly structuredContent?: JsonObject;
    readonly _meta?: JsonObject;
  };
} | {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly data?: JsonObject;
  };
};
declare const onx: ExtensibleDialect<OnxWire>;
declare const platica: Dialect<PlaticaWire, PlaticaContext> & {
  readonly codes: DialectCodes<PlaticaContext>;
};
