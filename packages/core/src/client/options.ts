import type { Decoder } from "../dialects/dialect.ts";
import type { Fault } from "../fault/fault.ts";
import type { Incident, Sink, Telemetry } from "../incidents/incident.ts";
import type { BreakerOptions, BudgetOptions, DecisionRecord, Reauthorized, RetryPolicy } from "../retry/index.ts";
import type { RuleGroup } from "../safety/rules/rule.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import type { ClientLike, ListedTool } from "../sdk/client.ts";
import type { Exit } from "../sdk/stdio.ts";
import type { TestingOptions } from "../wire/clock.ts";
import type { Phase, TransportObserver } from "./transport/types.ts";

/** What `reconnect` gets. */
export interface Reconnection<C> {
  /** The client that no longer works. It is not closed for you, since other calls may still wait on it. */
  readonly client: C;
  /** Aborted when the reconnection takes too long. */
  readonly signal: AbortSignal;
}

/** How `recourse` makes calls again, and when it leaves a server alone. */
export interface RecourseRetryOptions {
  /** Attempts and waits of a call. @default three attempts; see `RetryPolicy` */
  readonly policy?: Partial<RetryPolicy>;
  /** How much retries may add to the load of the server; `false` for no limit. @default see `BudgetOptions` */
  readonly budget?: BudgetOptions | false;
  /** When the server is left alone for a while; `false` for never. @default see `BreakerOptions` */
  readonly breaker?: BreakerOptions | false;
  /** Called after every attempt, with what was decided. @default none */
  readonly onDecision?: (record: DecisionRecord) => void;
}

/** What you know about the server that `recourse` calls. */
export interface RecourseServerOptions {
  /**
   * Whether this is a server of yours that uses Recourse, so that its faults are taken over whole: its sentences unchanged and
   * unquoted, its candidates and links as next moves. Of any other server, what it says is shown as a quotation.
   * @default false
   */
  readonly speaksFaults?: boolean;
  /**
   * Believe the server's annotations: a read-only or idempotent tool may be retried. If a call fails before the tools are
   * known, the client requests the list, and waits up to 2 s for it.
   * @default false
   */
  readonly trustAnnotations?: boolean;
  /** The tools as the server lists them. @default learnt from `tools()`, or when a failure needs them */
  readonly tools?: readonly ListedTool[];
  /** The dialect that this server is known to write. @default any known one is recognised */
  readonly dialect?: Decoder;
}

/** Options of `recourse`. A number out of range throws a `RangeError` that names the option. */
export interface RecourseOptions<C extends ClientLike = ClientLike> {
  /** Adds what the SDK's client drops: status, waits, bodies, lost answers, stderr. @default none */
  readonly transport?: TransportObserver;
  /** One deadline over all attempts and waits of a call, in ms. @default 60_000 */
  readonly deadlineMs?: number;
  /** The most time that one attempt may take, in ms. @default all of the deadline */
  readonly timeoutMs?: number;
  /** How calls are made again, and when the server is left alone. @default see each member */
  readonly retry?: RecourseRetryOptions;
  /** What you know about the server. @default nothing */
  readonly server?: RecourseServerOptions;
  /**
   * The scope of the loop guard, which any object can stand for. Several servers may share one; give each conversation its
   * own if one client serves several.
   * @default the returned object itself
   */
  readonly conversation?: object;
  /** Give every call without an idempotency key a new one, at servers that honour keys. @default false */
  readonly autoIdempotency?: boolean;
  /**
   * `return` hands a server's requests for input to you, as a third form of the outcome; `rounds` lets the SDK answer them.
   * @default "rounds"
   */
  readonly inputRequired?: "return" | "rounds";
  /** Gets new credentials or an approval after a refusal and says which; undefined if it cannot. @default none */
  readonly reauthorize?: (fault: Fault) => Promise<Reauthorized | undefined>;
  /** Returns a new, connected client when the connection is gone. It never makes a call again. @default none */
  readonly reconnect?: (why: Fault, last: Reconnection<C>) => Promise<C>;
  /**
   * Receives a private record of every failure, before the call is made again or returns: one for each failed attempt, also of
   * calls that succeed in the end, and also of the caller's mistakes. `retryInMs` marks those that are tried again. All records
   * of one call have the same incident id, unless the server gave ids of its own; mistakes of the caller have none, and calls
   * that were not sent or that the caller ended have no record.
   *
   * Unlike the server kit, the client kit has no default sink: with a sink, faults carry incident ids, and a model reads them.
   * @default none: no records, no incident ids
   */
  readonly sink?: Sink<CallIncident>;
  /** Traces calls and attempts, and continues the trace at the server; `openTelemetry(api)` of `/telemetry`. @default none */
  readonly telemetry?: Telemetry;
  /** Secrets of the caller, such as its credentials; no fault contains one. @default none */
  readonly secrets?: SecretFilter;
  /**
   * Groups of filter rules to skip for what the server says. `hostile` shows texts that read like instructions to a model.
   * @default none
   */
  readonly allow?: readonly RuleGroup[];
  /** Replaces time, randomness and ids in tests: those of calls, incidents and keys. @default the platform's */
  readonly testing?: TestingOptions;
}

/** Options of one call. */
export interface CallOptions {
  /** Idempotency key of this call: sent if the server honours keys, and then the call may be retried. @default none */
  readonly idempotencyKey?: string;
  /** Whether repeating the call is safe. Your value takes precedence over all others. @default not known */
  readonly repeatable?: boolean;
  /** One deadline over all attempts and waits, in ms. @default the client's */
  readonly deadlineMs?: number;
  /** The most time that one attempt may take, in ms. @default the client's */
  readonly timeoutMs?: number;
  /** Ends the call when it is aborted. @default none */
  readonly signal?: AbortSignal;
  /** Called with progress that the server reports. @default none */
  readonly onProgress?: (progress: unknown) => void;
  /** More for `_meta`, such as `traceparent`. @default none */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The scope of the loop guard for this call. @default the client's */
  readonly conversation?: object;
  /** The answers to what an earlier outcome asked for, with the state that came with it. @default none */
  readonly input?: { readonly inputResponses?: object; readonly requestState?: string };
}

/** Attempts that were made, and the time that they and the waits between them took. */
export interface AttemptSummary {
  /** Attempts that were sent. */
  readonly attempts: number;
  /** Time from the first attempt to the end. */
  readonly elapsedMs: number;
}

/** The call succeeded. */
export interface CallSuccess<T> {
  /** Tells a success from a failure. */
  readonly ok: true;
  /** The result, as the SDK types it. */
  readonly result: T;
  /** Set if the first attempt failed. */
  readonly tried?: AttemptSummary;
}

/** The call failed; the fault says what to do next. */
export interface CallFailure {
  /** Tells a failure from a success. */
  readonly ok: false;
  /** What failed, whether it had an effect, and what to do next. */
  readonly fault: Fault;
  /**
   * What the server sent, as it came: a result, a JSON-RPC error, or an HTTP answer. Absent if nothing came. It is not
   * filtered, so neither log it nor show it to a model.
   */
  readonly raw?: unknown;
  /** Set if you gave an idempotency key; `ignored` means that the server does not honour keys, so it was not sent. */
  readonly idempotencyKey?: "sent" | "ignored";
  /** Never set: it tells this form from `InputRequired`. */
  readonly inputRequired?: undefined;
}

/** The server asks for input before it answers. It exists only on a client made with `inputRequired: "return"`. */
export interface InputRequired {
  /** The call has no result yet. */
  readonly ok: false;
  /** What the server asks for: `inputRequests` and `requestState`. */
  readonly inputRequired: Readonly<Record<string, unknown>>;
  /** Never set: it tells this form from `Failed`. */
  readonly fault?: undefined;
}

/** How a call ended. */
export type Outcome<T> = CallSuccess<T> | CallFailure;

/** The private record of one failed attempt of a call. Sinks of the server kit take it, too. */
export interface CallIncident extends Incident {
  /** JSON-RPC method, such as `tools/call`. */
  readonly method: string;
  /** How long the call has taken, with all attempts and waits so far. */
  readonly durationMs: number;
  /** Attempts that were sent so far. */
  readonly attempts: number;
  /** The call is made again after this wait, in ms. Absent in the last record of a call. */
  readonly retryInMs?: number;
  /** How far the last HTTP exchange came. */
  readonly phase?: Phase;
  /** HTTP status of the last exchange. */
  readonly status?: number;
  /** The beginning of an answer that was not an MCP message. */
  readonly body?: string;
  /** The last lines of the server's stderr. */
  readonly stderr?: readonly string[];
  /** How the server's process ended. */
  readonly exit?: Exit;
}
