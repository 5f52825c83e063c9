import type { Incident, Sink } from "../incidents/incident.ts";
import type { Exit, Phase } from "./transport/types.ts";

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

/** Receives the records of failed calls, one for each failed attempt. */
export type CallSink = Sink<CallIncident>;
