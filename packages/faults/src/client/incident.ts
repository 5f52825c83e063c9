import type { Fault } from "../fault/fault.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import type { Exit, Phase } from "./watch/watched.ts";

/** The private record of one failed call; sinks of the server kit take it, too. */
export interface CallIncident {
  /** The fault as the caller got it; its `incident` is the id of this record, or the one that the server gave. */
  readonly fault: Fault;
  /** What the SDK threw, or the failed result, whole. */
  readonly cause?: unknown;
  /** ISO time. */
  readonly at: string;
  readonly method: string;
  readonly tool?: string;
  readonly durationMs: number;
  readonly attempts: number;
  /** How far the last exchange came. */
  readonly phase?: Phase;
  /** HTTP status of the last exchange. */
  readonly status?: number;
  /** The beginning of an answer that was no message of the protocol. */
  readonly body?: string;
  /** The last lines of the server's stderr. */
  readonly stderr?: readonly string[];
  /** How the server's process ended. */
  readonly exit?: Exit;
  /** Knows the secrets of the call, so that they stay out of logs. */
  readonly secrets?: SecretFilter;
}

/** Takes incidents to where an operator finds them; what it throws is ignored. */
export type CallSink = (incident: CallIncident) => unknown;

/** Hands an incident to a sink, and never fails: a call must not end differently because its record is lost. */
export function tell(sink: CallSink, incident: CallIncident): void {
  try {
    const pending = sink(incident);
    if (pending instanceof Promise) pending.catch(() => {});
  } catch {
    // The same holds for a sink that throws.
  }
}
