import { deliver } from "@recourse/faults/internal-do-not-use";
import type { Sink } from "@recourse/faults/server";
import type { ApprovalStore } from "./approvals/approvals.ts";
import { openApprovals } from "./approvals/open-approvals.ts";
import type { Audit } from "./audit/audit.ts";
import { openAudit } from "./audit/open-audit.ts";
import type { Idempotency } from "./bound/idempotency.ts";
import { openIdempotency } from "./bound/open-idempotency.ts";
import type { Breakers } from "./breaker/breakers.ts";
import { openBreakers } from "./breaker/open-breakers.ts";
import type { GatewayConfig } from "./config/types.ts";
import { breakerIncident } from "./incidents/breaker-incident.ts";
import type { GatewayIncident, Incidents } from "./incidents/incidents.ts";
import { openIncidents } from "./incidents/open-incidents.ts";
import type { Stores } from "./stores/open-stores.ts";
import type { Observer } from "./telemetry/observer.ts";

/** The parts that remember something over calls and configurations, in this process or in the engines. */
export interface Controls {
  readonly idempotency: Idempotency | undefined;
  readonly approvals: ApprovalStore | undefined;
  readonly breakers: Breakers | undefined;
  readonly incidents: Incidents | undefined;
  readonly audit: Audit | undefined;
  /** Takes incidents: to the log, and to where they are kept. */
  readonly sink: Sink<GatewayIncident>;
  /** Stores what is not stored yet, and closes everything, within a bound. */
  close(): Promise<void>;
}

/** What controls need beside a configuration and its stores. */
export interface ControlParts {
  readonly observer: Observer;
  /** Receives incidents for the log. */
  readonly log: Sink;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
}

/** Opens what a configuration asks for. It rejects where a table cannot be made. */
export async function openControls(
  config: GatewayConfig,
  stores: Stores,
  { observer, log, now }: ControlParts,
): Promise<Controls> {
  const idempotency = await openIdempotency(config, stores, observer);
  const approvals = await openApprovals(stores, observer);
  const incidents = await openIncidents(config, stores, observer);
  const audit = await openAudit(stores);
  const sink: Sink<GatewayIncident> = (incident) => {
    if (incidents !== undefined) deliver(incidents.sink, incident);
    return log(incident);
  };
  const breakers = openBreakers(config, stores, observer, (scope) => {
    deliver(sink, breakerIncident(scope, { name: config.name, nowMs: now() }));
  });
  return {
    idempotency,
    approvals,
    breakers,
    incidents,
    audit,
    sink,
    async close() {
      breakers?.close();
      await Promise.allSettled([idempotency?.close(), approvals.close(), incidents?.close()]);
    },
  };
}
