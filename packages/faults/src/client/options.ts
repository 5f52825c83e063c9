import type { Sleep } from "../async/race.ts";
import type { Decoder } from "../dialects/dialect.ts";
import type { Fault } from "../fault/fault.ts";
import type { Telemetry } from "../incidents/telemetry.ts";
import type {
  BreakerOptions,
  BudgetOptions,
  DecisionRecord,
  Reauthorized,
  RetryEngine,
  RetryPolicy,
} from "../retry/index.ts";
import type { RuleGroup } from "../safety/rules/rule.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import type { ClientLike, ListedTool } from "../sdk/client-types.ts";
import type { CallSink } from "./incident.ts";
import type { TransportObserver } from "./transport/types.ts";

/** What `reconnect` gets. */
export interface Reconnection<C> {
  /** The client that no longer works. It is not closed for you, since other calls may still wait on it. */
  readonly client: C;
  /** Aborted when the reconnection takes too long. */
  readonly signal: AbortSignal;
}

/** Options of `recourse`. */
export interface RecourseOptions<C extends ClientLike = ClientLike> {
  /** Adds what the SDK's client drops: status, waits, bodies, lost answers, stderr. @default none */
  readonly transport?: TransportObserver;
  /** One deadline over all attempts and waits of a call. @default 60_000 */
  readonly deadlineMs?: number;
  /** The most time that one attempt may take. @default all of the deadline */
  readonly attemptMs?: number;
  /** Attempts and waits of a call. @default three attempts; see `RetryPolicy` */
  readonly policy?: Partial<RetryPolicy>;
  /** How much retries may add to the load of the server; `false` for no limit. @default see `BudgetOptions` */
  readonly budget?: BudgetOptions | false;
  /** When the server is left alone for a while; `false` for never. @default see `BreakerOptions` */
  readonly breaker?: BreakerOptions | false;
  /** An engine to share with other clients of the same server, instead of the three options above. @default a new one */
  readonly engine?: RetryEngine;
  /** Called after every attempt, with what was decided. @default none */
  readonly onDecision?: (record: DecisionRecord) => void;
  /**
   * Whether this is a server of yours that uses Recourse, so that its faults are taken over whole: its sentences unchanged and
   * unquoted, its candidates and links as next moves. Of any other server, what it says is shown as a quotation.
   * @default false
   */
  readonly speaksFaults?: boolean;
  /** Believe the server's annotations: a read-only or idempotent tool may be retried. @default false */
  readonly trustAnnotations?: boolean;
  /** The tools as the server lists them. @default learnt from `tools()` */
  readonly tools?: readonly ListedTool[];
  /**
   * The scope of the loop guard, which any object can stand for. Several servers may share one; give each conversation its
   * own where one client serves several.
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
  /** Gets new credentials or an approval after a refusal and says which; undefined where it cannot. @default none */
  readonly reauthorize?: (fault: Fault) => Promise<Reauthorized | undefined>;
  /** Returns a new, connected client when the connection is gone. It never makes a call again. @default none */
  readonly reconnect?: (why: Fault, last: Reconnection<C>) => Promise<C>;
  /**
   * Receives a private record of every failure, before the call is made again or returns: one for each failed attempt, also of
   * calls that succeed in the end, and also of the caller's mistakes. `retryInMs` marks those that are tried again. All records
   * of one call have the same incident id, unless the server gave ids of its own; mistakes of the caller have none, and calls
   * that were not sent or that the caller ended have no record.
   * @default none: no records, no incident ids
   */
  readonly sink?: CallSink;
  /** Traces calls and attempts, and continues the trace at the server; `openTelemetry(api)` of `/telemetry`. @default none */
  readonly telemetry?: Telemetry;
  /** The dialect that this server is known to write. @default any known one is recognised */
  readonly dialect?: Decoder;
  /** Secrets of the caller, such as its credentials; no fault contains one. @default none */
  readonly secrets?: SecretFilter;
  /**
   * Groups of filter rules to skip for what the server says. `hostile` shows texts that read like instructions to a model.
   * @default none
   */
  readonly allow?: readonly RuleGroup[];
  /** Clock, in ms since 1970. @default `Date.now` */
  readonly now?: () => number;
  /** A number in [0, 1). @default `Math.random` */
  readonly random?: () => number;
  /** Waits; must end at once when the signal is aborted. @default a timer */
  readonly sleep?: Sleep;
  /** Creates ids for calls, incidents and keys: 26 characters, as `formatId` makes them. @default time and randomness */
  readonly createId?: () => string;
}

/** Options of one call. */
export interface CallOptions {
  /** Idempotency key of this call: sent where the server honours keys, and then the call may be retried. @default none */
  readonly idempotencyKey?: string;
  /** Whether repeating the call does no harm; your word counts before all others. @default not known */
  readonly repeatable?: boolean;
  /** One deadline over all attempts and waits. @default the client's */
  readonly deadlineMs?: number;
  /** The most time that one attempt may take. @default the client's */
  readonly attemptMs?: number;
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
