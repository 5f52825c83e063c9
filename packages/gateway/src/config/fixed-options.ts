import { isDeepStrictEqual } from "node:util";
import type { GatewayConfig } from "./types.ts";

/** What can change only at a start: sockets, connections, stores and what reports are sent with. */
const FIXED = [
  "listen",
  "store",
  "telemetry",
  "maxHeldBytes",
  "maxStreams",
  "idempotency",
  "breaker",
  "incidents",
] as const satisfies readonly (keyof GatewayConfig)[];

/** A new configuration as a running gateway can take it over. */
interface Reloadable {
  /** The new configuration, with the running values of what can change only at a start. */
  readonly config: GatewayConfig;
  /** The options that count only after a restart, by their names in the file. */
  readonly needsRestart: readonly string[];
}

/** Takes over what a running gateway can change, and keeps the rest as it runs. */
export function keepFixed(next: GatewayConfig, running: GatewayConfig): Reloadable {
  const needsRestart: string[] = FIXED.filter((name) => !isDeepStrictEqual(next[name], running[name]));
  // Keys of operators count at once, so that one can be revoked.
  if (!isDeepStrictEqual(next.admin?.listen, running.admin?.listen)) needsRestart.push("admin.listen");
  // What signs sessions, and where browsers reach the console, are read once.
  if (!isDeepStrictEqual(next.admin?.console, running.admin?.console)) needsRestart.push("admin.console");
  const fixed: Partial<GatewayConfig> = Object.fromEntries(FIXED.map((name) => [name, running[name]]));
  const admin = running.admin && {
    ...next.admin,
    listen: running.admin.listen,
    keys: next.admin?.keys ?? [],
    console: running.admin.console,
  };
  return { config: { ...next, ...fixed, admin }, needsRestart };
}
