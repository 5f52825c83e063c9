import { snapshot } from "../reasons/unknown/snapshot.ts";

/**
 * What was handed in as plain data: JSON as it is, a caught error as a copy of its own data, so that nothing of the
 * error's runs; undefined for what cannot be looked at.
 */
export function plainOf(wire: unknown): unknown {
  if (typeof wire !== "object" || wire === null) return wire;
  try {
    const prototype: unknown = Object.getPrototypeOf(wire);
    return prototype === Object.prototype || prototype === null || Array.isArray(wire) ? wire : snapshot(wire);
  } catch {
    return undefined;
  }
}

/** Reads, or gives nothing where a hostile object throws when it is looked at. */
export function total<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
