import { isDeepStrictEqual } from "node:util";
import { isObject } from "@recourse/core/wire";
import type { GatewayConfig } from "../config/types.ts";

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

/** What names the items of a list of the configuration. */
const ITEM_NAMES = ["name", "id", "pattern"] as const;
/** The most names that are kept of one change. */
const MAX_OPTIONS = 100;

/** The names of the options that two configurations differ in, such as `upstreams.shop.url`. Values are never part of it. */
export function changedOptions(before: GatewayConfig, after: GatewayConfig): readonly string[] {
  return [...new Set(differences(before, after, ""))].slice(0, MAX_OPTIONS);
}

function* differences(before: unknown, after: unknown, path: string): Generator<string> {
  if (isDeepStrictEqual(before, after)) return;
  const [one, other] = [membersByName(before), membersByName(after)];
  // An option that comes or goes is named as a whole.
  if (one === undefined || other === undefined) {
    yield path;
    return;
  }
  const names = new Set([...one.keys(), ...other.keys()]);
  let isNamed = false;
  for (const name of names) {
    for (const found of differences(one.get(name), other.get(name), path === "" ? name : `${path}.${name}`)) {
      isNamed = true;
      yield found;
    }
  }
  // Only the order differs.
  if (!isNamed && Array.isArray(after)) yield path;
}

/** The members of an object, or the items of a list that have names. */
function membersByName(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const named = value.map((item) => [itemName(item), item] as const);
    return named.every((entry): entry is [string, unknown] => entry[0] !== undefined) ? new Map(named) : undefined;
  }
  if (!isObject(value)) return undefined;
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  return new Map(given.map(([name, member]) => [fileName(name), member]));
}

function itemName(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  return ITEM_NAMES.map((name) => item[name]).find((name) => typeof name === "string");
}

/** In the file, times and sizes carry their unit, so the names do not. */
function fileName(name: string): string {
  return name.replace(/(?<=[a-z])Ms$/, "");
}
