import type { Fault } from "../fault/fault.ts";

/** Attempts that were made, and the time that they and the waits between them took. */
export interface Effort {
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** The call succeeded; `tried` tells of it where the first attempt did not. */
export interface Succeeded<T> {
  readonly ok: true;
  readonly result: T;
  readonly tried?: Effort;
}

/** The call failed; the fault says what to do next. */
export interface Failed {
  readonly ok: false;
  readonly fault: Fault;
  /** `ignored`: the caller gave an idempotency key, but the server does not honour keys, so it was not sent. */
  readonly key?: "sent" | "ignored";
}

/** The server asks for more input before it answers; only where the caller wants to give it itself. */
export interface InputRequired {
  readonly ok: "input_required";
  /** What the server asks for: `inputRequests` and `requestState`. */
  readonly result: unknown;
}

/** How a call ended. */
export type Outcome<T> = Succeeded<T> | Failed | InputRequired;
