import { core, rest } from "@recourse/faults";
import type { Limiter } from "@recourse/reference-ground";
import { crm } from "../reasons.ts";
import type { Key } from "./keys.ts";

/** Takes a call from the share of a key; throws where none is left. */
export function takeCall(key: Key, limiter: Limiter): void {
  const taken = limiter.take(key.id);
  if (taken.ok) return;
  const { calls, windowMs } = limiter.quota;
  throw core.rate_limited({ limit: calls, windowMs }, { retry: { allowed: true, afterMs: taken.retryAfterMs } });
}

/** The workspace that a call is about: the one that it names, or the only one of its key. */
export function workspaceFor(key: Key, named: string | null): string {
  const [only, ...others] = key.workspaces;
  if (named) {
    // One that does not exist is refused like one of somebody else.
    if (key.workspaces.includes(named)) return named;
    throw crm.workspace_forbidden();
  }
  if (only === undefined) throw crm.workspace_forbidden();
  if (others.length > 0) throw rest.workspace_missing();
  return only;
}

/** Refuses to let a key write that may only read. */
export function checkAccess(key: Key, access: "read" | "write"): void {
  if (access === "write" && !key.mayWrite) throw crm.read_only();
}
