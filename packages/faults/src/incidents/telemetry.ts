import type { Fault } from "../fault/fault.ts";

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
