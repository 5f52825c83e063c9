import type { GatewayConfig } from "../config/types.ts";
import type { Stores } from "../stores/open-stores.ts";
import type { Observer } from "../telemetry/observer.ts";
import type { Incidents } from "./incidents.ts";
import { memoryIncidents } from "./memory-incidents.ts";
import { postgresIncidents } from "./postgres-incidents.ts";
import { Recorder } from "./record.ts";

/** Opens the store of the incidents. It rejects where its tables cannot be made. */
export async function openIncidents(
  { incidents: config }: Pick<GatewayConfig, "incidents">,
  stores: Stores,
  observer: Pick<Observer, "switched" | "log">,
): Promise<Incidents> {
  const recorder = new Recorder({ config });
  if (stores.mode === "memory") return memoryIncidents(recorder);
  return postgresIncidents({ pool: stores.pool, config, recorder, observer });
}
