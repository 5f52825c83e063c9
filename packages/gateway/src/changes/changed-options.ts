import { isDeepStrictEqual } from "node:util";
import { isObject } from "@recourse/core/wire";
import type { GatewayConfig } from "../config/types.ts";

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
