import type { Fault } from "../fault/fault.ts";
import { ABORTED, race, type Sleep, TIMED_OUT } from "../wire/waiting.ts";
import type { AttemptResponse } from "./breaker.ts";
import type { Decision, Reauthorized } from "./decide.ts";
import type { LoopGuard } from "./loop-guard.ts";

/** The outcome of a call that failed. An outcome without a `fault` is not a failure. */
export interface AttemptFailure {
  /** Always false: what tells a failure from a value. */
  readonly ok: false;
  /** What failed, and what to do next. */
  readonly fault: Fault;
  /** What the attempt shows about the server. @default what the origin of the fault tells */
  readonly evidence?: FailureEvidence | undefined;
  /** False if an attempt ended before the call was sent. @default true, unless the fault says otherwise */
  readonly sent?: boolean;
}

/** What a failed attempt shows about the server, for the circuit breakers. */
export interface FailureEvidence {
  readonly response: AttemptResponse;
  /** Whether this side waited for the answer as long as its own settings allow. @default true */
  readonly waitedFully?: boolean | undefined;
}

export function isAttemptFailure(outcome: object): outcome is AttemptFailure {
  return "fault" in outcome && outcome.fault !== undefined;
}

export interface AttemptInfo {
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** The time until the deadline of the whole call. Infinity without a deadline. The attempt has to end by then. */
  readonly leftMs: number;
  /** Aborted if the caller gives up. */
  readonly signal: AbortSignal | undefined;
}

/** Makes the call once. A rejection is turned into a fault with `toFault`. */
export type Attempt<S extends object> = (info: AttemptInfo) => Promise<S | AttemptFailure>;

export interface RetryCall {
  /** The name of the tool, for the loop guard and for records. */
  readonly tool: string;
  /** The arguments, for the loop guard: only calls with equal arguments form a loop. @default none */
  readonly arguments?: unknown;
  /** Whether making the call twice is safe. A function is called after every failure. */
  readonly repeatable: boolean | ((fault: Fault, attempt: number) => boolean);
  /** The time for all attempts and waits together, in milliseconds. @default no deadline */
  readonly deadlineMs?: number | undefined;
  /** Ends the call if it is aborted. @default none */
  readonly signal?: AbortSignal | undefined;
  /**
   * Gets new credentials for an `unauthenticated` call, or the approval for an `approval_required` one. It is called at
   * most once for each, and returns what it got.
   * @default none
   */
  readonly reauthorize?: ((fault: Fault) => Promise<Reauthorized | undefined>) | undefined;
  /** The loop guard of the conversation that this call belongs to. @default none */
  readonly guard?: LoopGuard | undefined;
  /** Called after every attempt with what was decided. @default none */
  readonly onDecision?: ((record: DecisionRecord) => void) | undefined;
}

/** One decision of the engine: after an attempt, or when a call was refused or aborted between attempts. */
export interface DecisionRecord {
  readonly tool: string;
  /** How many times the call was made so far. 0 if it was never sent. */
  readonly attempt: number;
  /** When the attempt started, on the clock of the engine. */
  readonly startedMs: number;
  /** When it ended, on the clock of the engine. */
  readonly endedMs: number;
  /** The failure. Absent after a success. */
  readonly fault?: Fault;
  /** What the engine does next. Absent after a success. */
  readonly decision?: Decision;
}

/** What `reauthorizeInTime` needs. */
interface ReauthorizeRequest {
  readonly fault: Fault;
  readonly reauthorize: (fault: Fault) => Promise<Reauthorized | undefined>;
  /** The time until the deadline of the call. A person may need long, but not longer. */
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
  readonly sleep: Sleep;
}

/** Calls the caller's `reauthorize`. Undefined if it fails, is too late, or the call is aborted. */
export async function reauthorizeInTime(request: ReauthorizeRequest): Promise<Reauthorized | undefined> {
  const { fault, reauthorize, leftMs, signal, sleep } = request;
  try {
    const got = await race(reauthorize(fault), { ms: leftMs, sleep, signal });
    return got === TIMED_OUT || got === ABORTED ? undefined : got;
  } catch {
    return undefined;
  }
}
