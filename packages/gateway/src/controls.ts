import type { ApprovalStore } from "./approvals/approvals.ts";
import { openApprovals } from "./approvals/open-approvals.ts";
import type { Audit } from "./audit/audit.ts";
import { openAudit } from "./audit/open-audit.ts";
import type { Idempotency } from "./bound/idempotency.ts";
import { openIdempotency } from "./bound/open-idempotency.ts";
import type { Breakers } from "./breaker/breakers.ts";
import { openBreakers } from "./breaker/open-breakers.ts";
import type { GatewayConfig } from "./config/types.ts";
import type { Incidents } from "./incidents/incidents.ts";
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
  /** Stores what is not stored yet, and closes everything, within a bound. */
  close(): Promise<void>;
}

/** Opens what a configuration asks for. It rejects where a table cannot be made. */
export async function openControls(config: GatewayConfig, stores: Stores, observer: Observer): Promise<Controls> {
  const idempotency = await openIdempotency(config, stores, observer);
  const approvals = await openApprovals(stores, observer);
  const incidents = await openIncidents(config, stores, observer);
  const audit = await openAudit(stores);
  const breakers = openBreakers(config, stores, observer);
  return {
    idempotency,
    approvals,
    breakers,
    incidents,
    audit,
    async close() {
      breakers?.close();
      await Promise.allSettled([idempotency?.close(), approvals.close(), incidents?.close()]);
    },
  };
}
