import type { Fault } from "./fault.ts";
import { KINDS, type Kind, knownKind } from "./kinds.ts";

/**
 * How bad a failure is, by who has to act: `critical` the operator at once, `error` the operator, `warning` the owner of the
 * caller or of the settings, `info` no one.
 */
export const SEVERITIES = ["critical", "error", "warning", "info"] as const;
/** One of the four severities. */
export type Severity = (typeof SEVERITIES)[number];

export const SEVERITY_BY_KIND = {
  invalid_input: "info",
  invalid_request: "warning",
  unauthenticated: "warning",
  forbidden: "warning",
  approval_required: "info",
  rate_limited: "warning",
  overloaded: "error",
  timeout: "error",
  unavailable: "error",
  upstream_failed: "error",
  not_found: "info",
  conflict: "info",
  precondition_failed: "info",
  unsupported: "warning",
  quota_exhausted: "warning",
  cancelled: "info",
  internal: "error",
  unknown: "info",
} as const satisfies Record<Kind, Severity>;

/** After these, nothing works until the operator acts: the server's own access is refused. */
const CRITICAL_REASONS: readonly string[] = ["rest/upstream_auth", "rest/upstream_account"];

/** The severity of a fault: by its kind, but for the few reasons that are critical. A guess is at most a warning. */
export function severityOf(fault: Fault): Severity {
  const severity = CRITICAL_REASONS.includes(fault.reason) ? "critical" : SEVERITY_BY_KIND[knownKind(fault)];
  return fault.basis === "guessed" && severity !== "info" ? "warning" : severity;
}

/** Reasons of calls that were not sent: a circuit breaker refused them, or their caller gave them no time. */
const UNSENT_REASONS: readonly string[] = ["transport/breaker_open", "transport/not_sent"];

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
  return fault.basis !== "guessed" && !UNSENT_REASONS.includes(fault.reason) && KINDS[knownKind(fault)].reported;
}
