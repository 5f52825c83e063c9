import type { Call } from "../call/call.ts";
import type { ServerAnswer } from "../call/server-request.ts";

/** A request of an upstream on its way to the caller: checked, with the name of the upstream, without credentials. */
export interface CallerQuestion {
  readonly method: string;
  readonly params: Buffer;
  readonly upstream: string;
  /**
   * Aborted when the answer is no longer needed, with the reason: the time is up, the caller has left, or the upstream
   * has withdrawn it. What was begun for the question is then to be ended; the promise may stay open.
   */
  readonly signal: AbortSignal;
}

/** Why a question has no answer. The reason of its signal. */
export type UnansweredReason = "late" | "left" | "withdrawn";

/**
 * Puts a question to the caller of a call, and gives its answer. Around it `askCaller` counts, bounds and stops the clocks,
 * and ends the waiting. It never rejects.
 */
export type Ask = (call: Call, question: CallerQuestion) => Promise<ServerAnswer>;
