import { core, rest } from "@recourse/faults/reasons";
import type { Limiter } from "@recourse/reference-shared";
import { crm } from "../reasons.ts";
import type { ApiKey } from "./keys.ts";

/** Counts a call of a key. Throws if its limit is reached. */
export function checkRateLimit(key: ApiKey, limiter: Limiter): void {
  const taken = limiter.take(key.id);
  if (taken.ok) return;
  const { calls, windowMs } = limiter.quota;
  throw core.rate_limited({ limit: calls, windowMs }, { retry: { allowed: true, afterMs: taken.retryAfterMs } });
}

/** The workspace of a call: the named one, or the only one of its key. */
export function workspaceOf(key: ApiKey, named: string | null): string {
  const [only, ...others] = key.workspaces;
  if (named) {
    // A workspace that does not exist is refused like a foreign one.
    if (key.workspaces.includes(named)) return named;
    throw crm.workspace_forbidden();
  }
  if (only === undefined) throw crm.workspace_forbidden();
  if (others.length > 0) throw rest.workspace_missing();
  return only;
}

/** Throws if a read-only key would write. */
export function checkWriteAccess(key: ApiKey, access: "read" | "write"): void {
  if (access === "write" && !key.mayWrite) throw crm.read_only();
}
