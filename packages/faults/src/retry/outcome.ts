import type { Fault } from "../fault/fault.ts";
import type { Decision, Renewed } from "./decide.ts";
import type { LoopGuard } from "./loop-guard.ts";

/** Any outcome that is not a failure; what it carries is the caller's business. */
export interface Done {
  readonly ok: true | string;
}

/** A failure, as a value. */
export interface Failed {
  readonly ok: false;
  readonly fault: Fault;
}

/** What one attempt is told. */
export interface AttemptInfo {
  /** From 1. */
  readonly attempt: number;
  /** Until the deadline over all attempts; Infinity when there is none. An attempt must end by then. */
  readonly leftMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Makes the call once. A rejection counts as a failure of which nothing is known. */
export type Attempt<S extends Done> = (info: AttemptInfo) => Promise<S | Failed>;

/** One call, as the engine needs to know it. */
export interface Call {
  readonly tool: string;
  /** Whether making the call twice does no more than making it once; asked anew after every failure. */
  readonly repeatable: boolean | ((fault: Fault, attempt: number) => boolean);
  /** One deadline over all attempts and waits. */
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Gets what an `unauthenticated` or `approval_required` call lacks, once each per call; tells what it got. */
  readonly renew?: ((fault: Fault) => Promise<Renewed | undefined>) | undefined;
  /** The loop guard of the conversation that this call belongs to. */
  readonly guard?: LoopGuard | undefined;
  readonly onDecision?: ((entry: Entry) => void) | undefined;
}

/** One line of the engine's diary: an attempt that ended, or a call that was refused or aborted between attempts. */
export interface Entry {
  readonly tool: string;
  /** Attempts made so far; 0 when nothing was sent. */
  readonly attempt: number;
  /** Times of the engine's clock. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** Absent for a success. */
  readonly fault?: Fault;
  readonly decision?: Decision;
}
