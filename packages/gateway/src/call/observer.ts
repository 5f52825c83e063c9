import type { Fault } from "@recourse/core";
import type { Incident, Sink } from "@recourse/core/server";
import type { Call } from "./call.ts";

/** A part of the gateway that can be down while the rest works. */
export type ControlName =
  | "limits"
  | "breakers"
  | "idempotency"
  | "hold"
  | "keys"
  | "tokens"
  | "sessions"
  | "approvals"
  | "incidents"
  | "database"
  | `upstream ${string}`
  | `lists of ${string}`
  | `credential of ${string}`;

/** What came of asking a token service for a token. */
export type TokenOutcome = "given" | "refused" | "misconfigured" | "unavailable";

/** A store whose answers are timed. */
export type StoreName = "redis" | "postgres";

/** What came of an idempotency key: each outcome is an answer that callers get, except `fresh` and `taken_over`, which run. */
export type KeyOutcome =
  /** The key is new, and its call runs. */
  | "fresh"
  /** The outcome of an earlier call is unknown, and the upstream honours keys: the call runs again. */
  | "taken_over"
  /** The stored outcome is the answer. */
  | "stored"
  /** Another call with the key is under way. */
  | "running"
  /** The outcome of an earlier call is unknown. */
  | "unknown"
  /** The key was used with other arguments. */
  | "reused"
  /** The caller has too many keys. */
  | "refused"
  /** The store does not answer. */
  | "unavailable";

/**
 * What metrics show beside events. It is read at each collection, so all of it is cheap. Only `approvals` waits: it rejects
 * if its store does not answer.
 */
export interface GatewayState {
  readonly version: string;
  /** The upstreams of the configuration in use. */
  upstreams(): readonly { readonly upstream: string; readonly listed: "current" | "kept" | "never" }[];
  /** The breakers of upstreams, and of the tools that are held back; undefined if there are none. */
  breakers():
    | readonly {
        readonly upstream: string;
        readonly tool?: string | undefined;
        readonly state: "closed" | "half-open" | "open";
      }[]
    | undefined;
  incidents(): { readonly waiting: number; readonly dropped: number; readonly droppedSamples: number };
  /** Approvals that wait for a decision, and how long the oldest of them does, in ms; 0 if there are none. */
  approvals(): Promise<{ readonly count: number; readonly oldestMs: number }>;
  /** What came of idempotency keys since the start; undefined if the gateway keeps none. */
  keys(): Readonly<Record<KeyOutcome, number>> | undefined;
  /** Reloads since the start, and how long the configuration has been in use, in ms. */
  reloads(): { readonly taken: number; readonly refused: number; readonly ageMs: number };
}

export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * Receives what happens in the gateway, and makes metrics, traces and log lines of it. Nothing in it should throw or
 * wait; what it throws all the same is passed to `unexpected`, and breaks nothing.
 */
export interface Observer {
  /** A call has arrived. */
  began(call: Call): void;
  /** The `traceparent` for the next hop; undefined if the call belongs to no trace. */
  traceparent(call: Call): string | undefined;
  /** The answer of a call is written. */
  ended(call: Call, fault: Fault | undefined): void;
  /** A control went away or came back. `answer` says what callers get meanwhile. */
  switched(control: ControlName, state: "away" | "back", answer: string): void;
  /** The circuit breaker of an upstream or of one of its tools has changed, as this process knows it. */
  breaker(
    scope: { readonly upstream: string; readonly tool?: string | undefined },
    state: "closed" | "open" | "half-open",
  ): void;
  /** A token service was asked for a token for an upstream. @default nobody counts */
  tokenRequested?(upstream: string, outcome: TokenOutcome): void;
  /** A store has answered, or failed to. `op` is one of few names. @default nobody measures */
  storeAnswered?(store: StoreName, op: string, durationMs: number): void;
  /** The gateway is about to serve calls: from now on its state can be read. @default nobody reads it */
  attach?(state: GatewayState): void;
  /** Writes a line for the operator. */
  log(level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>): void;
  /**
   * An unexpected exception. It broke at most one call, and the process continues. `where` says what was being done.
   */
  unexpected(error: unknown, where: string): void;
  /** Receives incidents. */
  readonly sink: Sink;
  /** The metrics in Prometheus' text format; undefined if they are not served. */
  metrics(): Promise<string | undefined>;
  /** Sends what is left, within a bound. */
  close(): Promise<void>;
}

/** Receives exceptions that nobody expected. */
export type UnexpectedObserver = Pick<Observer, "unexpected">;

/** Runs what must not break what comes after it. An exception is logged and counted, and gives undefined. */
export function runGuarded<T>(where: string, observer: UnexpectedObserver, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    observer.unexpected(error, where);
    return undefined;
  }
}

/** Lets work go on that nobody waits for. A rejection is logged and counted. */
export function inBackground(where: string, observer: UnexpectedObserver, work: PromiseLike<unknown>): void {
  void Promise.resolve(work).catch((error: unknown) => observer.unexpected(error, where));
}

/** A sink that never throws or rejects. What the given one throws is logged and counted. */
export function guardedSink<T extends Incident>(
  where: string,
  observer: UnexpectedObserver,
  sink: Sink<T>,
): (incident: T) => void {
  return (incident) => {
    const pending = runGuarded(where, observer, () => sink(incident));
    if (pending instanceof Object && "then" in pending) inBackground(where, observer, pending as PromiseLike<unknown>);
  };
}
