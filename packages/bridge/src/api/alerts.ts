import type { Fault } from "@recourse/faults";
import type { Incident } from "@recourse/faults/server";

/** How soon an operator should look. */
export type Severity = "critical" | "error";

/** Something that callers cannot mend: a credential that is refused, an address that does not exist. */
export interface Alert extends Incident {
  readonly severity: Severity;
}

/** Takes alerts to an operator; a sink for incidents will do. */
export type AlertSink = (alert: Alert) => unknown;

/** Reasons that are the operator's: critical ones concern the whole API, the others a single tool. */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  "rest/upstream_auth": "critical",
  "rest/upstream_account": "critical",
  "core/misconfigured": "critical",
  "rest/upstream_forbidden": "error",
  "rest/protocol_mismatch": "error",
  "rest/route_missing": "error",
};

/** Raises alerts. */
export interface Alerts {
  /** Tells of a fault if it is the operator's, once until things went well again. */
  failed(tool: string, fault: Fault, cause: unknown): void;
  /** Tells of a failure that goes out as the service wrote it, past the guard, unless it is the caller's own. */
  relayed(tool: string, fault: Fault, cause: unknown): void;
  /** A call of this tool went well. */
  succeeded(tool: string): void;
}

/** Makes alerts for a sink; without one nobody is told. */
export function createAlerts(sink: AlertSink | undefined, now: () => number): Alerts {
  const raised = new Map<string, Severity>();
  const tellOf = (severity: Severity, tool: string, fault: Fault, cause: unknown) => {
    const at = new Date(now()).toISOString();
    if (sink !== undefined) tell(sink, { severity, fault, at, tool, ...(cause !== undefined && { cause }) });
  };
  return {
    failed(tool, fault, cause) {
      const severity = SEVERITIES[fault.reason];
      if (severity === undefined) return;
      const about = severity === "critical" ? fault.reason : `${fault.reason} ${tool}`;
      // A refused credential fails every call; one word about it is enough.
      if (raised.has(about)) return;
      raised.set(about, severity);
      tellOf(severity, tool, fault, cause);
    },
    relayed(tool, fault, cause) {
      const isCallers = fault.class === "validation" || fault.class === "permission" || fault.kind === "not_found";
      if (!isCallers) tellOf("error", tool, fault, cause);
    },
    succeeded(tool) {
      if (raised.size === 0) return;
      for (const [about, severity] of raised)
        if (severity === "critical" || about.endsWith(` ${tool}`)) raised.delete(about);
    },
  };
}

/** Hands an alert to a sink; one that fails must not break an answer. */
function tell(sink: AlertSink, alert: Alert): void {
  try {
    const pending = sink(alert);
    if (pending instanceof Promise) pending.catch(() => {});
  } catch {
    // The fault itself still reaches the caller.
  }
}
