import type { Fault } from "./fault.ts";
import { isChecked } from "./provenance.ts";

/** Every copy of the package in a process uses this symbol, so each recognises the errors of the others. */
const FAULT_ERROR_BRAND = Symbol.for("recourse/FaultError");

/** An `Error` that carries a fault. It is the only error class of Recourse. */
export class FaultError extends Error {
  /** What failed, and what to do next. */
  readonly fault: Fault;
  override readonly name = "FaultError";
  /** @internal */
  readonly [FAULT_ERROR_BRAND] = true;
  readonly #own = true;

  constructor(fault: Fault, options?: { readonly cause?: unknown }) {
    super(fault.message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.fault = fault;
  }

  /** Tells whether a value is a FaultError of any copy of the package. It runs no code of the value. */
  static is(value: unknown): value is FaultError {
    if (typeof value !== "object" || value === null) return false;
    try {
      return Reflect.getOwnPropertyDescriptor(value, FAULT_ERROR_BRAND)?.value === true;
    } catch {
      return false;
    }
  }

  /** Tells whether this copy of the package made the FaultError and its fault, which does not have to be checked again. */
  static isOwn(value: unknown): value is FaultError {
    return typeof value === "object" && value !== null && #own in value && isChecked(value.fault);
  }

  static override [Symbol.hasInstance](value: unknown): value is FaultError {
    return FaultError.is(value);
  }
}
