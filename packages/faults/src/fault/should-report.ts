import type { Fault } from "./fault.ts";
import { KINDS, knownKind } from "./kinds.ts";

/** Options of `shouldReport`. */
export interface ShouldReportOptions {
  /** Whether text about the failure was hidden from the caller. */
  readonly textHidden: boolean;
}

/**
 * Tells whether a failure is an incident, which is reported to the operator. It is one if text was hidden from the
 * caller, since the operator needs that text, or if the caller cannot do anything about its kind, such as an outage. A kind
 * that was guessed from a sentence of the peer shows no defect.
 *
 * @example
 * shouldReport(fault, { textHidden: false }); // false for wrong arguments, true for an outage
 */
export function shouldReport(fault: Fault, { textHidden }: ShouldReportOptions): boolean {
  return textHidden || (fault.basis !== "guessed" && KINDS[knownKind(fault)].reported);
}
