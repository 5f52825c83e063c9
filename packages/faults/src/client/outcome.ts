import type { Fault } from "../fault/fault.ts";

/** Attempts that were made, and the time that they and the waits between them took. */
export interface AttemptSummary {
  /** Attempts that were sent. */
  readonly attempts: number;
  /** Time from the first attempt to the end. */
  readonly elapsedMs: number;
}

/** The call succeeded. */
export interface Succeeded<T> {
  /** Tells a success from a failure. */
  readonly ok: true;
  /** The result, as the SDK types it. */
  readonly result: T;
  /** Set where the first attempt failed. */
  readonly tried?: AttemptSummary;
}

/** The call failed; the fault says what to do next. */
export interface Failed {
  /** Tells a failure from a success. */
  readonly ok: false;
  /** What failed, whether it had an effect, and what to do next. */
  readonly fault: Fault;
  /**
   * What the server sent, as it came: a result, a JSON-RPC error, or an HTTP answer. Absent where nothing came. It is not
   * filtered, so neither log it nor show it to a model.
   */
  readonly raw?: unknown;
  /** Set where you gave an idempotency key; `ignored` means that the server does not honour keys, so it was not sent. */
  readonly idempotencyKey?: "sent" | "ignored";
  /** Never set: it tells this form from `InputRequired`. */
  readonly inputRequired?: undefined;
}

/** The server asks for input before it answers. It exists only on a client made with `inputRequired: "return"`. */
export interface InputRequired {
  /** The call has no result yet. */
  readonly ok: false;
  /** What the server asks for: `inputRequests` and `requestState`. */
  readonly inputRequired: Readonly<Record<string, unknown>>;
  /** Never set: it tells this form from `Failed`. */
  readonly fault?: undefined;
}

/** How a call ended. */
export type Outcome<T> = Succeeded<T> | Failed;
