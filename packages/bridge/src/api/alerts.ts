import { core, type Fault, formatId, rest, shouldReport, stampFault } from "@recourse/faults";
import type { Severity } from "@recourse/faults/explain";
import { deliverIncident } from "@recourse/faults/proxy";
import type { Incident, Sink } from "@recourse/faults/server";
import { randomBytes } from "@recourse/wire";

/** How urgent an alert is: `critical` concerns the whole API, `error` a single tool. */
export type AlertSeverity = Extract<Severity, "critical" | "error">;

/** A failure that callers cannot correct, such as a refused key or an address that does not exist. */
export interface Alert extends Incident {
  /** How urgent it is. */
  readonly severity: AlertSeverity;
}

/** The reasons that only an operator can correct. */
const SEVERITY_BY_REASON: Readonly<Record<string, AlertSeverity>> = {
  [rest.upstream_auth.id]: "critical",
  [rest.upstream_account.id]: "critical",
  [core.misconfigured.id]: "critical",
  [rest.upstream_forbidden.id]: "error",
  [rest.protocol_mismatch.id]: "error",
  [rest.route_missing.id]: "error",
};

/** Sends alerts. */
export interface Alerts {
  /** Sends an alert for a fault that only an operator can correct, once until a call succeeds again. */
  failed(tool: string, fault: Fault, cause: unknown): void;
  /**
   * Reports a failure whose body is relayed unchanged, past the guard, unless it is the caller's mistake. Returns the
   * fault as it is sent: with the id of the incident if it was reported.
   */
  relayed(tool: string, fault: Fault, cause: unknown): Fault;
  /** Records that a call of a tool succeeded. */
  succeeded(tool: string): void;
}

/** Makes alerts for a sink. */
export function createAlerts(sink: Sink<Alert>, now: () => number): Alerts {
  const sent = new Map<string, AlertSeverity>();
  const send = (severity: AlertSeverity, tool: string, fault: Fault, cause: unknown) => {
    const at = new Date(now()).toISOString();
    deliverIncident(sink, { severity, fault, at, tool, ...(cause !== undefined && { cause }) });
  };
  return {
    failed(tool, fault, cause) {
      const severity = SEVERITY_BY_REASON[fault.reason];
      if (severity === undefined) return;
      // A refused credential fails every call; one alert is enough.
      const subject = severity === "critical" ? fault.reason : `${fault.reason} ${tool}`;
      if (sent.has(subject)) return;
      sent.set(subject, severity);
      send(severity, tool, fault, cause);
    },
    relayed(tool, fault, cause) {
      if (!shouldReport(fault, { textHidden: false })) return fault;
      const incident = fault.incident ?? formatId(now(), randomBytes());
      const reported = stampFault(fault, { incident, at: new Date(now()).toISOString() });
      send("error", tool, reported, cause);
      return reported;
    },
    succeeded(tool) {
      for (const [subject, severity] of sent)
        if (severity === "critical" || subject.endsWith(` ${tool}`)) sent.delete(subject);
    },
  };
}
