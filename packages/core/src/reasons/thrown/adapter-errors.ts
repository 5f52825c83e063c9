import { peek, peekString, snapshot } from "../../errors/peek.ts";
import type { FaultDetails } from "../../fault/build.ts";
import type { Fault } from "../../fault/fault.ts";
import type { ReasonOptions } from "../build-safely.ts";
import { failed as adapter_failed } from "../library/adapter.ts";

/** The mark of every `AdapterError` of `@recourse/bridge`. */
export const ADAPTER_ERROR_BRAND: unique symbol = Symbol.for("recourse/AdapterError");

/** The form of an identifier, such as `ORDER_NOT_FOUND`. Sentences do not have it. */
export const ADAPTER_IDENTIFIER: RegExp = /^[A-Za-z][A-Za-z0-9_]{0,59}$/;

/** Nobody said what the identifier means for the caller, so the model looks first instead of repeating the call. */
const MOVES_AFTER_IDENTIFIER = [{ do: "refresh" }, { do: "stop" }] as const;

/**
 * The fault of an `AdapterError` whose identifier no adapter declares; undefined for any other value. What the error states
 * counts more than the given details.
 */
export function adapterErrorFault(value: unknown, details: ReasonOptions = {}): Fault | undefined {
  if (!hasBrand(value)) return undefined;
  const identifier = peekString(value, "identifier") ?? "";
  // Building the fault drops every member that does not fit.
  const { effect, retry, issues } = snapshot({
    effect: peek(value, "effect"),
    retry: peek(value, "retry"),
    issues: peek(value, "issues"),
  }) as FaultDetails;
  return adapter_failed.fault(ADAPTER_IDENTIFIER.test(identifier) ? { originalError: identifier } : {}, {
    ...details,
    ...(effect !== undefined && { effect }),
    ...(issues !== undefined && { issues }),
    ...(retry === undefined ? { recourse: MOVES_AFTER_IDENTIFIER } : { retry }),
  });
}

function hasBrand(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    return Reflect.getOwnPropertyDescriptor(value, ADAPTER_ERROR_BRAND)?.value === true;
  } catch {
    return false;
  }
}
