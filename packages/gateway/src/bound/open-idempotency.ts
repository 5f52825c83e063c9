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
/** How many new keys one caller may use in any ten minutes, at all replicas together. */
const MAX_NEW_KEYS = 10_000;
const KEY_WINDOW_MS = 600_000;
/** How many keys one process remembers; each caller may have as many at a time as it may use in the window. */
const MAX_IN_MEMORY = 10 * MAX_NEW_KEYS;

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
      return { ...memoryIdempotency({ ttlMs: keepMs, max: MAX_IN_MEMORY, callerShare: 0.1 }), close: async () => {} };
    case "shared": {
      if (stores.mode !== "shared") throw new TypeError("keys that replicas share need a database");
      const { pool } = stores;
      // The second version has the table of the counts. Neither changes what is there.
      const schema = schemaSql({ table: TABLE });
      await migrate(pool, "idempotency", [schema, schema]);
      const store = postgresIdempotency({
        pool,
        table: TABLE,
        ttlMs: keepMs,
        timeoutMs: TIMEOUT_MS,
        maxKeysPerCaller: MAX_NEW_KEYS,
        keyWindowMs: KEY_WINDOW_MS,
      });
      return withAwayGate(store, observer, TIMEOUT_MS);
    }
    default:
      return mode satisfies never;
  }
}
