import { peek, peekString } from "../../reasons/unknown/peek.ts";

const BRANDS = Symbol.for("mcp.sdk.errorBrands");

/** Tells an error of the SDK, or its JSON: branded in version 2, named in version 1. */
export function isSdk(value: unknown, name: string): boolean {
  if (peekString(value, "name") === name) return true;
  try {
    return Set.prototype.has.call(peek(value, BRANDS), `mcp.${name}`);
  } catch {
    // No set at all, or only a proxy of one.
    return false;
  }
}
