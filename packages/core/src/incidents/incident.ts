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
export type Sink<T extends Incident = Incident> = (incident: T) => unknown;

let failures = 0;

/** How many times a sink has failed since the process started. */
export function sinkFailures(): number {
  return failures;
}

/** Passes an incident to a sink. It never throws, since the failure of a sink must not change the answer. */
export function deliverIncident<T extends Incident>(sink: Sink<T>, incident: T): void {
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

/** An operation that is traced. */
export interface TracedOperation {
  /**
   * What it covers. `call`: a call of a client with all its attempts. `request`: one MCP request, as it is sent or received.
   * `http`: one request to a REST API.
   */
  readonly what: "call" | "request" | "http";
  /** Which side records it. */
  readonly side: "client" | "server";
  /** The JSON-RPC method, such as `tools/call`, or the HTTP method. */
  readonly method: string;
  /** The name of the tool or prompt, the URI of the resource, or the path of a REST API with its placeholders. */
  readonly name?: string | undefined;
  /** The `_meta` of the request that a server received. It may continue a trace of the caller. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** The number of the attempt, from 1. */
  readonly attempt?: number | undefined;
  /** The address that a REST API is called at. */
  readonly address?: URL | undefined;
}

/** What a failed operation was answered with. */
export interface FailedAnswer {
  /** The code of the JSON-RPC error. @default the answer had no code */
  readonly code?: number | undefined;
  /** Whether the answer was a tool result with `isError`. @default false */
  readonly isError?: boolean | undefined;
}

/** An operation while it runs. */
export interface OperationSpan {
  /** The members that continue the trace, for the `_meta` or the headers of what is sent. */
  readonly context: Readonly<Record<string, string>>;
  /** Records the HTTP status of the answer. */
  answered(status: number): void;
  /** Records that the operation failed. */
  failed(fault: Fault, answer?: FailedAnswer): void;
}

/** Traces and measures operations, such as `openTelemetry(api)` of `@recourse/faults/telemetry`. */
export interface Telemetry {
  /** Runs the work once, in a span of its own, and ends as the work ends. */
  run<T>(operation: TracedOperation, work: (span: OperationSpan) => Promise<T>): Promise<T>;
}
