import type { Fault } from "./fault.ts";

/** Shared by every copy of the package, so that a fault thrown by one is known to the other. */
const BRAND = Symbol.for("recourse/FaultError");

/** The one throwable: an `Error` that holds a fault. */
export class FaultError extends Error {
  readonly fault: Fault;
  override readonly name = "FaultError";
  /** @internal */
  readonly [BRAND] = true;
  readonly #here = true;

  constructor(fault: Fault, options?: { readonly cause?: unknown }) {
    super(fault.message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.fault = fault;
  }

  /** Tells a FaultError of any copy of the package, without running anything of the value's own. */
  static is(value: unknown): value is FaultError {
    if (typeof value !== "object" || value === null) return false;
    try {
      return Reflect.getOwnPropertyDescriptor(value, BRAND)?.value === true;
    } catch {
      return false;
    }
  }

  /** Tells a FaultError that this very copy of the package made, whose fault needs no second look. */
  static isOwn(value: unknown): value is FaultError {
    return typeof value === "object" && value !== null && #here in value && Object.isFrozen(value.fault);
  }

  static override [Symbol.hasInstance](value: unknown): value is FaultError {
    return FaultError.is(value);
  }
}
