import type { Observer } from "../call/observer.ts";
import type { Audit } from "../incidents/audit.ts";
import type { Stores } from "../stores/open-stores.ts";
import type { Changes } from "./changes.ts";
import { memoryChanges } from "./memory-changes.ts";
import { createChangeTables, postgresChanges } from "./postgres-changes.ts";
import { type OwnReplica, postgresReplicas, type Replicas, singleReplica } from "./replicas.ts";

/** What the changes of a gateway need beside their stores. */
interface OpenChangesOptions {
  readonly changes: Changes;
  readonly audit: Audit | undefined;
  readonly observer: Observer;
  /** The public name of the gateway. */
  readonly name: string;
  readonly own: OwnReplica;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
}

/** Begins to keep changes, and records that this process has started. It rejects if the tables cannot be made. */
export async function openChanges(
  stores: Stores,
  { changes, audit, observer, name, own, now }: OpenChangesOptions,
): Promise<Replicas> {
  const isShared = stores.mode === "shared";
  if (isShared) await createChangeTables(stores.pool);
  changes.attach(isShared ? postgresChanges(stores.pool, observer) : memoryChanges(audit), own.id);
  const facts = { version: own.version };
  changes.record({ kind: "process", what: "started", target: name, facts });
  const replicas = isShared ? postgresReplicas(stores.pool, own, { observer }) : singleReplica(own, now);
  return {
    list: () => replicas.list(),
    async close() {
      changes.record({ kind: "process", what: "stopped", target: name, facts });
      await Promise.all([changes.close(), replicas.close()]);
    },
  };
}
