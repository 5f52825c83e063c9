import type { Sink } from "@recourse/faults/server";
import type { ApprovalStore } from "./approvals/approvals.ts";
import { openApprovals } from "./approvals/open-approvals.ts";
import { openBreakers } from "./breaker/breaker-set.ts";
import type { Breakers } from "./breaker/breakers.ts";
import { guardedSink, type Observer } from "./call/observer.ts";
import type { GatewayConfig } from "./config/types.ts";
import { type Idempotency, openIdempotency } from "./idempotency/idempotency.ts";
import { type Audit, openAudit } from "./incidents/audit.ts";
import type { GatewayIncident, Incidents } from "./incidents/incidents.ts";
import { openIncidents } from "./incidents/postgres-incidents.ts";
import type { Switches } from "./incidents/switches.ts";
import { openRounds, type Rounds } from "./rounds/rounds.ts";
import type { Stores } from "./stores/open-stores.ts";

/** The parts that remember something over calls and configurations, in this process or in the engines. */
export interface Controls {
  readonly idempotency: Idempotency | undefined;
  readonly approvals: ApprovalStore | undefined;
  readonly rounds: Rounds;
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
  readonly switches: Switches;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
}

/** Opens what a configuration asks for. It rejects where a table cannot be made. */
export async function openControls(
  config: GatewayConfig,
  stores: Stores,
  { observer, log, switches, now }: ControlParts,
): Promise<Controls & { readonly incidents: Incidents }> {
  const idempotency = await openIdempotency(config, stores, observer);
  const approvals = await openApprovals(stores, observer);
  const rounds = await openRounds(stores, { now });
  const incidents = await openIncidents(config, stores, observer);
  const audit = await openAudit(stores);
  const keep = guardedSink("store of incidents", observer, incidents.sink);
  const write = guardedSink("sink of incidents", observer, log);
  const sink = (incident: GatewayIncident) => {
    keep(incident);
    // What is only counted has the id of an incident that was written.
    if (incident.admission?.isKept !== false) write(incident);
  };
  switches.reportTo((incident) => {
    const admission = incidents.admit({ ...incident, atMs: Date.parse(incident.at) });
    sink({ ...incident, admission });
  });
  const breakers = openBreakers(config, stores, observer, (scope) => switches.opened(scope));
  return {
    idempotency,
    approvals,
    rounds,
    breakers,
    incidents,
    audit,
    sink,
    async close() {
      breakers?.close();
      await Promise.allSettled([idempotency?.close(), approvals.close(), incidents.close()]);
    },
  };
}
