import type { Decoder } from "../dialects/dialect.ts";
import type { Fault } from "../fault/fault.ts";
import type { BreakerOptions, BudgetOptions, Engine, Entry, Policy, Renewed } from "../retry/index.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import type { RuleGroup } from "../safety/tripwire.ts";
import type { CallSink } from "./incident.ts";
import type { ClientLike, ListedTool } from "./types.ts";
import type { Watched } from "./watch/watched.ts";

/** What a reconnection is told. */
export interface Reconnection<C> {
  /** The client that no longer works; it is not closed by itself, since other calls may still wait on it. */
  readonly client: C;
  /** Aborted when the attempt takes too long. */
  readonly signal: AbortSignal;
}

/** How `recourse` behaves. */
export interface RecourseOptions<C extends ClientLike = ClientLike> {
  /** Keeps what the SDK's client drops: status, waits, bodies, lost answers, stderr. */
  readonly watched?: Watched;
  /** One deadline over all attempts and waits of a call; 60 s unless told. */
  readonly deadlineMs?: number;
  /** The most that one attempt may take of it; all of it unless told. */
  readonly attemptMs?: number;
  /** How patient calls are: attempts and waits. */
  readonly policy?: Partial<Policy>;
  /** How much repeating may add to the load of the server; `false` for no limit. */
  readonly budget?: BudgetOptions | false;
  /** When the server is left alone for a while; `false` for never. */
  readonly breaker?: BreakerOptions | false;
  /** An engine to share with other clients of the same server, instead of the three above. */
  readonly engine?: Engine;
  /** Told about every attempt, and what was decided after it. */
  readonly onDecision?: (entry: Entry) => void;
  /** The server's annotations are believed: a tool that says it only reads, or is idempotent, may be repeated. */
  readonly trusted?: boolean;
  /** The tools as the server lists them; without it they are learnt from `tools()`. */
  readonly tools?: readonly ListedTool[];
  /**
   * The scope of the loop guard; the returned object itself unless told. Several servers may share one, and who serves
   * several conversations with one client gives each its own.
   */
  readonly conversation?: object;
  /** `mint`: calls without a key of their own get one, at servers that honour keys. */
  readonly keys?: "mint";
  /** `return`: hands a server's questions to the caller; `rounds` lets the SDK answer them, as it does by itself. */
  readonly inputRequired?: "return" | "rounds";
  /** Gets new credentials or an approval after a refusal, and tells which; undefined when it cannot. */
  readonly renew?: (fault: Fault) => Promise<Renewed | undefined>;
  /** Gives a new, connected client when the connection is gone. It never makes a call again by itself. */
  readonly reconnect?: (why: Fault, last: Reconnection<C>) => Promise<C>;
  /** Where the private records of failures go; without it none are kept, and no incident ids are minted. */
  readonly sink?: CallSink;
  /** The wire that this server is known to write; otherwise any that is known is recognised. */
  readonly dialect?: Decoder;
  /** Secrets of the caller, such as its credentials: no fault holds one. */
  readonly secrets?: SecretFilter;
  /** Groups of tripwire rules that do not apply to what the server says. */
  readonly allow?: readonly RuleGroup[];
  /** Clock, in ms since 1970. */
  readonly now?: () => number;
  /** A number in [0, 1). */
  readonly random?: () => number;
  /** Waits, and ends at once when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  /** Makes ids for calls, incidents and keys: 26 characters as `formatId` makes them. */
  readonly mint?: () => string;
}

/** What one call may say. */
export interface CallOptions {
  /** Idempotency key of this call: sent where the server honours keys, and then the call may be repeated. */
  readonly key?: string;
  /** Whether repeating the call does no harm; the caller's word counts before all others. */
  readonly repeatable?: boolean;
  readonly deadlineMs?: number;
  readonly attemptMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: unknown) => void;
  /** More for `_meta`, such as `traceparent`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The scope of the loop guard for this call. */
  readonly conversation?: object;
  /** The answers to what an earlier outcome asked for, with the state that came with it. */
  readonly input?: { readonly inputResponses?: object; readonly requestState?: string };
}
