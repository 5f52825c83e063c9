import type { Fault } from "./fault.ts";
import { KINDS, knownKind } from "./kinds.ts";

/** Reasons of calls that were not sent: a circuit breaker refused them, or their caller gave them no time. */
const REFUSALS: readonly string[] = ["transport/breaker_open", "transport/not_sent"];

/** Options of `shouldReport`. */
export interface ShouldReportOptions {
  /** Whether text about the failure was hidden from the caller. */
  readonly textHidden: boolean;
}

/**
 * Tells whether a failure is an incident, which is reported to the operator. It is one if text was hidden from the
 * caller, since the operator needs that text, or if the caller cannot do anything about its kind, such as an outage. A kind
 * that was guessed from a sentence of the peer shows no defect, and neither does a call that a circuit breaker refused or
 * that had no time left.
 *
 * @example
 * shouldReport(fault, { textHidden: false }); // false for wrong arguments, true for an outage
 */
export function shouldReport(fault: Fault, { textHidden }: ShouldReportOptions): boolean {
  if (textHidden) return true;
  return fault.basis !== "guessed" && !REFUSALS.includes(fault.reason) && KINDS[knownKind(fault)].reported;
}
