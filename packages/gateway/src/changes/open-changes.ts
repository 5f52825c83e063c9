import type { Observer } from "../call/observer.ts";
import type { Stores } from "../stores/open-stores.ts";
import { postgresAudit } from "./audit.ts";
import type { Changes } from "./changes.ts";
import { type EventStores, memoryEvents } from "./memory-events.ts";
import { createChangeTables, postgresChanges } from "./postgres-changes.ts";
import { type OwnReplica, postgresReplicas, type Replicas, singleReplica } from "./replicas.ts";

/** Opens where changes and the audit are kept. It rejects if the tables cannot be made. */
export async function openEvents(stores: Stores, observer: Observer): Promise<EventStores> {
  if (stores.mode === "memory") return memoryEvents();
  await createChangeTables(stores.pool);
  return { audit: postgresAudit(stores.pool), changes: postgresChanges(stores.pool, observer) };
}

interface OpenChangesOptions {
  readonly changes: Changes;
  readonly events: EventStores;
  readonly observer: Observer;
  /** The public name of the gateway. */
  readonly name: string;
  readonly own: OwnReplica;
  readonly now: () => number;
}

/** Begins to keep changes, and records that this process has started. */
export function openChanges(
  stores: Stores,
  { changes, events, observer, name, own, now }: OpenChangesOptions,
): Replicas {
  changes.attach(events.changes, own.id);
  const facts = { version: own.version };
  changes.record({ kind: "process", what: "started", target: name, facts });
  const replicas =
    stores.mode === "shared" ? postgresReplicas(stores.pool, own, { observer }) : singleReplica(own, now);
  return {
    list: () => replicas.list(),
    async close() {
      changes.record({ kind: "process", what: "stopped", target: name, facts });
      await Promise.all([changes.close(), replicas.close()]);
    },
  };
}
