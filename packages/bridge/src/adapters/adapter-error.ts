import type { Effect, Issue, RetryAdvice } from "@recourse/faults";

/** Shared by every copy of the package, so that one copy recognises the errors of another. */
const ADAPTER_ERROR_BRAND = Symbol.for("recourse/AdapterError");

/** What a failure says beyond its identifier and params. */
export interface AdapterErrorDetails {
  /**
   * The error behind this failure. It goes only to your sink, never to a caller.
   *
   * @default none
   */
  readonly cause?: unknown;
  /**
   * Whether the backend changed anything.
   *
   * @default the declared effect, or what the tool's annotations and the kind imply
   */
  readonly effect?: Effect;
  /**
   * Whether and when the same call may be repeated.
   *
   * @default the declared advice
   */
  readonly retry?: RetryAdvice;
  /**
   * The arguments that the failure is about.
   *
   * @default none
   */
  readonly issues?: readonly Issue[];
}

/** Options of an `AdapterError`. */
export interface AdapterErrorOptions extends AdapterErrorDetails {
  /**
   * Values for the slots of the declared text.
   *
   * @default {}
   */
  readonly params?: Readonly<Record<string, unknown>>;
}

/**
 * A failure of a backend, by its identifier. Tools throw it.
 *
 * In a handler of an adapter use `context.fail`, elsewhere `failFor`: both check identifier and params at compile time. The
 * constructor is for identifiers that are known only at run time, and for guarded tools without an adapter. An identifier
 * that no adapter declares becomes `adapter/failed`, which names it: up to 60 letters, digits and `_`, with a letter first.
 */
export class AdapterError extends Error {
  override readonly name = "AdapterError";
  /** The identifier, as a key of the adapter's `faults`. */
  readonly identifier: string;
  /** Values for the slots of the declared text. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether the backend changed anything, where this failure states it. */
  readonly effect: Effect | undefined;
  /** Whether and when the same call may be repeated, where this failure states it. */
  readonly retry: RetryAdvice | undefined;
  /** The arguments that the failure is about. */
  readonly issues: readonly Issue[] | undefined;
  /** @internal */
  readonly [ADAPTER_ERROR_BRAND] = true;

  constructor(identifier: string, options: AdapterErrorOptions = {}) {
    super(identifier, options.cause === undefined ? undefined : { cause: options.cause });
    this.identifier = identifier;
    this.params = options.params ?? {};
    this.effect = options.effect;
    this.retry = options.retry;
    this.issues = options.issues;
  }

  /** Recognises an `AdapterError` of any copy of the package. It runs no code of the value. */
  static is(value: unknown): value is AdapterError {
    if (typeof value !== "object" || value === null) return false;
    try {
      return Reflect.getOwnPropertyDescriptor(value, ADAPTER_ERROR_BRAND)?.value === true;
    } catch {
      return false;
    }
  }
}
