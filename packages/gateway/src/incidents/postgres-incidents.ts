import { randomUUID } from "node:crypto";
import type { Observer } from "../call/observer.ts";
import type { GatewayConfig, IncidentsConfig } from "../config/types.ts";
import type { Stores } from "../stores/open-stores.ts";
import type { Pool } from "../stores/postgres.ts";
import { HOUR_MS, type Incidents } from "./incidents.ts";
import { memoryIncidents } from "./memory-incidents.ts";
import { postgresReader } from "./postgres-reader.ts";
import { Recorder } from "./record.ts";
import { createIncidentTables, databaseNow, daysAround, deleteOld, makePartitions, withConnection } from "./tables.ts";
import { IncidentWriter, type WriterOptions } from "./writer.ts";

/** Opens the store of the incidents. It rejects if its tables cannot be made. */
export async function openIncidents(
  { incidents: config }: Pick<GatewayConfig, "incidents">,
  stores: Stores,
  observer: Pick<Observer, "switched" | "log">,
): Promise<Incidents> {
  const recorder = new Recorder({ config });
  if (stores.mode === "memory") return memoryIncidents(recorder);
  return postgresIncidents({ pool: stores.pool, config, recorder, observer });
}

interface PostgresIncidentsOptions {
  readonly pool: Pool;
  readonly config: IncidentsConfig;
  readonly recorder: Recorder;
  readonly observer: Pick<Observer, "switched" | "log">;
  /** @default an hour, and a random part of it */
  readonly maintainEveryMs?: number;
  /** How long incidents wait, and how long the last of them may take. @default as the writer has them */
  readonly writes?: Pick<WriterOptions, "everyMs" | "closeMs">;
}

/** Keeps incidents in PostgreSQL. It rejects if the tables cannot be made. */
export async function postgresIncidents({
  pool,
  config,
  recorder,
  observer,
  maintainEveryMs = HOUR_MS * (1 + Math.random()),
  writes = {},
}: PostgresIncidentsOptions): Promise<Incidents> {
  await createIncidentTables(pool);
  await maintain(pool, config.keepMs);
  const timer = setInterval(() => {
    // Partitions are made days ahead, so it may fail for a while.
    maintain(pool, config.keepMs).catch(() =>
      observer.log("warn", "Old incidents could not be deleted; it is tried again."),
    );
  }, maintainEveryMs);
  timer.unref();
  const reader = postgresReader(pool);
  /** It was said that rows are dropped. */
  let isDropping = false;
  const writer = new IncidentWriter({
    ...writes,
    pool,
    replica: randomUUID(),
    keepMs: config.keepMs,
    onSwitch(state) {
      isDropping = false;
      observer.switched("incidents", state, "kept in memory");
    },
    onDropped(rows) {
      for (const row of rows) recorder.forget(row);
      if (isDropping || rows.length === 0) return;
      isDropping = true;
      observer.log("error", "Incidents are counted but not kept any longer. Their ids are in the log only.");
    },
    onRefused: (code) => observer.log("error", "PostgreSQL refuses incidents; details are given up.", { code }),
  });
  return {
    admit: (facts) => recorder.admit(facts, { hasRoom: writer.hasRoom }),
    sink: (incident) => {
      const record = recorder.record(incident);
      if (record !== undefined) writer.add(record);
    },
    reader: {
      ...reader,
      async erase(caller) {
        const erased = await reader.erase(caller);
        recorder.forgetAll();
        return erased;
      },
    },
    state: {
      get waiting() {
        return writer.waiting;
      },
      get dropped() {
        return writer.dropped;
      },
      get droppedSamples() {
        return writer.droppedSamples;
      },
      get isAway() {
        return writer.isAway;
      },
    },
    async close() {
      clearInterval(timer);
      const lost = await writer.close();
      if (lost > 0)
        observer.log("error", "Incidents were not written before the gateway stopped.", { incidents: lost });
    },
  };
}

/** Makes the partitions of the next days, and deletes what is too old. */
function maintain(pool: Pool, keepMs: number): Promise<void> {
  return withConnection(pool, async (connection) => {
    await makePartitions(connection, daysAround(await databaseNow(connection)));
    await deleteOld(connection, keepMs);
  });
}
