import type { Effect, Issue, RetryWord } from "@recourse/faults";

/** Shared by every copy of the package, so that an error thrown by one is known to the other. */
const BRAND = Symbol.for("recourse/AdapterError");

/** What a failure may say beyond its identifier. */
export interface AdapterErrorOptions {
  /** Values for the slots of the declared sentence. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** What lies behind it: only the operator gets to see it. */
  readonly cause?: unknown;
  /** Whether the backend changed anything, where this failure knows better than its declaration. */
  readonly effect?: Effect;
  /** The backend's word on repeating, where it said one this time. */
  readonly retry?: RetryWord;
  /** The arguments that it is about. */
  readonly issues?: readonly Issue[];
}

/** What a tool of an adapter throws: the identifier of a failure that the adapter declared. */
export class AdapterError extends Error {
  override readonly name = "AdapterError";
  readonly identifier: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly effect: Effect | undefined;
  readonly retry: RetryWord | undefined;
  readonly issues: readonly Issue[] | undefined;
  /** @internal */
  readonly [BRAND] = true;

  constructor(identifier: string, options: AdapterErrorOptions = {}) {
    super(identifier, options.cause === undefined ? undefined : { cause: options.cause });
    this.identifier = identifier;
    this.params = options.params ?? {};
    this.effect = options.effect;
    this.retry = options.retry;
    this.issues = options.issues;
  }

  /** Tells an AdapterError of any copy of the package, without running anything of the value's own. */
  static is(value: unknown): value is AdapterError {
    if (typeof value !== "object" || value === null) return false;
    try {
      return Reflect.getOwnPropertyDescriptor(value, BRAND)?.value === true;
    } catch {
      return false;
    }
  }
}
