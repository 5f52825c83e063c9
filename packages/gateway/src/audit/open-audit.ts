import type { Stores } from "../stores/open-stores.ts";
import type { Audit } from "./audit.ts";
import { memoryAudit } from "./memory-audit.ts";
import { postgresAudit } from "./postgres-audit.ts";

/** Opens the audit of what operators decided and changed. */
export async function openAudit(stores: Stores): Promise<Audit | undefined> {
  return stores.mode === "memory" ? memoryAudit() : postgresAudit(stores.pool);
}
