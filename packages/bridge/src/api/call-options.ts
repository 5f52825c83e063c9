import { createHash } from "node:crypto";
import { memberAt, objectAt } from "../document/json.ts";
import type { CallOptions } from "./options.ts";
import type { CallableTool } from "./tools.ts";

/** Where the client kit says which call this is an attempt of. */
const CALL = "recourse/call";

/** The answer has to get back before the caller gives up. */
const MARGIN_MS = 100;

/** How long the caller still waits, less the way back. */
export function deadlineOf({ meta }: CallOptions): number | undefined {
  const left = memberAt(objectAt(meta, CALL), "deadlineMs");
  return typeof left === "number" && left >= 0 ? Math.max(1, left - MARGIN_MS) : undefined;
}

/** Looks up headers of the caller's request. */
export function callerHeaders({ headers }: CallOptions): (name: string) => string | undefined {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  const known = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return (name) => {
    const value = known.find(([key]) => key === name.toLowerCase())?.[1];
    // A credential that is there twice is not clearly one.
    return typeof value === "string" ? value : value?.length === 1 ? value[0] : undefined;
  };
}

/** The idempotency key to send and the header for it; undefined where the call has none or the service takes none. */
export function keyFor(
  { keyHeader, credential }: CallableTool,
  { key, meta, caller }: CallOptions,
): { readonly header: string; readonly value: string } | undefined {
  const given = key ?? memberAt(objectAt(meta, CALL), "key");
  if (keyHeader === undefined || typeof given !== "string" || given === "") return undefined;
  // Where all callers share one credential, the service could not tell their keys apart.
  const isShared = credential === "own" && caller !== undefined;
  const isSendable = /^[!-~]{1,255}$/.test(given);
  const value = isShared || !isSendable ? digest([isShared ? caller : "", given]) : given;
  return { header: keyHeader.toLowerCase(), value };
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
