import { memoryIdempotency } from "@recourse/faults/server";
import { postgresIdempotency, schemaSql } from "@recourse/stores/postgres";
import type { GatewayConfig } from "../config/types.ts";
import { migrate } from "../stores/migrate.ts";
import type { Stores } from "../stores/open-stores.ts";
import type { Observer } from "../telemetry/observer.ts";
import type { Idempotency } from "./idempotency.ts";
import { withAwayGate } from "./with-away-gate.ts";

const TABLE = "gateway_idempotency";
/** A call waits no longer than this for the database. */
const TIMEOUT_MS = 2_000;
/** How many keys one process remembers; each caller may have a tenth of them. */
const MAX_IN_MEMORY = 100_000;

/** Opens the idempotency keys of a configuration; undefined where the gateway keeps none. */
export async function openIdempotency(
  { idempotency: { mode, keepMs } }: Pick<GatewayConfig, "idempotency">,
  stores: Stores,
  observer: Pick<Observer, "switched" | "log">,
): Promise<Idempotency | undefined> {
  switch (mode) {
    case "off":
      return undefined;
    case "memory":
      return { ...memoryIdempotency({ ttlMs: keepMs, max: MAX_IN_MEMORY }), close: async () => {} };
    case "shared": {
      if (stores.mode !== "shared") throw new TypeError("keys that replicas share need a database");
      const { pool } = stores;
      await migrate(pool, "idempotency", [schemaSql({ table: TABLE })]);
      // How many keys a caller uses is bounded by its limits.
      const maxKeysPerCaller = Number.POSITIVE_INFINITY;
      const store = postgresIdempotency({ pool, table: TABLE, ttlMs: keepMs, timeoutMs: TIMEOUT_MS, maxKeysPerCaller });
      return withAwayGate(store, observer, TIMEOUT_MS);
    }
    default:
      return mode satisfies never;
  }
}
