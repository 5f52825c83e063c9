import type { Fault } from "../../fault/fault.ts";
import type { ReasonOptions } from "../build-safely.ts";

/** Builds the fault for a known error. */
export type FaultBuilder = (options: ReasonOptions) => Fault;

/** Recognises a known error by its class and codes, never by its text. Undefined if the error is not known. */
export type ErrorMatcher = (error: unknown) => FaultBuilder | undefined;

/** The builder of a reason that is called without params. */
export function withoutParams(reason: { fault(params?: undefined, options?: ReasonOptions): Fault }): FaultBuilder {
  return (options) => reason.fault(undefined, options);
}
