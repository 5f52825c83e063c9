import { hash } from "node:crypto";
import type { IncidentsConfig } from "../config/types.ts";
import { clean } from "./clean.ts";

const MAX_CALLER = 256;

/** What is kept of the id of a caller. */
export function keptCaller(caller: string | undefined, mode: IncidentsConfig["callers"]): string | undefined {
  if (caller === undefined) return undefined;
  switch (mode) {
    case "keep":
      // Longer ids do not fit into an index.
      return caller.length > MAX_CALLER ? digestOf(caller) : clean(caller, MAX_CALLER);
    case "digest":
      return digestOf(caller);
    case "drop":
      return undefined;
    default:
      return mode satisfies never;
  }
}

/** What a caller may be kept as. The configuration may have been another one when an incident was written. */
export function formsOfCaller(caller: string): readonly string[] {
  return [clean(caller, MAX_CALLER), digestOf(caller)];
}

function digestOf(caller: string): string {
  return `sha256:${hash("sha256", `recourse caller ${caller}`, "hex").slice(0, 40)}`;
}
