import { isDeepStrictEqual } from "node:util";
import type { GatewayConfig } from "./types.ts";

/** What can change only at a start: sockets, connections, stores and what reports are sent with. */
const FIXED = [
  "listen",
  "store",
  "telemetry",
  "maxHeldBytes",
  "idempotency",
  "breaker",
  "incidents",
] as const satisfies readonly (keyof GatewayConfig)[];

/** The options of a new configuration that count only after a restart, by their names in the file. */
export function needsRestart(next: GatewayConfig, running: GatewayConfig): readonly string[] {
  const names: string[] = FIXED.filter((name) => !isDeepStrictEqual(next[name], running[name]));
  // Keys of operators count at once, so that one can be revoked.
  if (!isDeepStrictEqual(next.admin?.listen, running.admin?.listen)) names.push("admin.listen");
  return names;
}
