import type { Fault } from "../fault/fault.ts";
import type { Severity } from "../fault/severity.ts";
import type { SecretFilter } from "../safety/secrets.ts";

/** The private record of one failure, for the operator. It is never sent to the caller. */
export interface Incident {
  /** The fault as the caller got it. Its `incident` is the id that both sides know. */
  readonly fault: Fault;
  /** The thrown value. */
  readonly cause?: unknown;
  /** When it happened, as an ISO 8601 time. */
  readonly at: string;
  /** The JSON-RPC method, such as `tools/call`. */
  readonly method?: string;
  /** The name of the tool. */
  readonly tool?: string;
  /** How long the call took, in milliseconds. */
  readonly durationMs?: number;
  /**
   * The code that the caller got: of the JSON-RPC error, or in the tool result of a dialect that has codes there. For what no
   * caller is answered with, such as a long description, the code that the dialect has for it.
   */
  readonly code?: number;
  /** Whether the caller got a tool result with `isError`. */
  readonly isError?: boolean;
  /** How bad it is: by the code, if the dialect ranks its codes, else by the kind. @default by the kind */
  readonly severity?: Severity;
  /** Finds the credentials of the request, so that a sink can keep them out of its logs. */
  readonly secrets?: SecretFilter;
}

/** Receives incidents. If it throws or rejects, that is counted (`sinkFailures`) and otherwise ignored. */
export type Sink<T = Incident> = (incident: T) => unknown;

let failures = 0;

/** How many times a sink has failed since the process started. */
export function sinkFailures(): number {
  return failures;
}

/** Passes an incident to a sink. It never throws, since the failure of a sink must not change the answer. */
export function deliver<T>(sink: Sink<T>, incident: T): void {
  try {
    const pending = sink(incident);
    // Promises of libraries and of other realms are not instances of this Promise.
    if (!isThenable(pending)) return;
    const handled = pending.then(undefined, countFailure);
    // A library's `then` may return a promise of its own that rejects.
    if (isThenable(handled) && handled !== pending) Promise.resolve(handled).then(undefined, countFailure);
  } catch {
    countFailure();
  }
}

function countFailure(): void {
  failures++;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  const canHold = (typeof value === "object" && value !== null) || typeof value === "function";
  return canHold && typeof (value as PromiseLike<unknown>).then === "function";
}
