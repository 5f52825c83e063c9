import { auth, core, type FaultError } from "@recourse/faults";
import type { Limiter } from "@recourse/reference-ground";
import { type Caller, shareOf } from "./caller.ts";

/** Who may call an operation: everybody without limits, anybody within them, or whoever has a scope. */
export type Access = "open" | "limited" | { readonly scope: string };

/** Why this caller may not call now, or undefined where nothing stands in the way. */
export function refusalFor(access: Access, caller: Caller, limiter: Limiter): FaultError | undefined {
  if (access === "open") return undefined;
  return overLimit(limiter, caller) ?? lackOf(access, caller);
}

/** What is wrong with the credentials of a caller, apart from limits. */
export function lackOf(access: Exclude<Access, "open">, caller: Caller): FaultError | undefined {
  switch (caller.is) {
    case "unchecked":
      return caller.why;
    case "refused":
      return auth.unauthorized();
    case "anybody":
      return access === "limited" ? undefined : auth.unauthorized();
    case "known":
      if (access === "limited" || caller.scopes.includes(access.scope)) return undefined;
      return auth.insufficient_scope({ scopes: [access.scope] });
    default:
      return caller satisfies never;
  }
}

function overLimit(limiter: Limiter, caller: Caller): FaultError | undefined {
  const taken = limiter.take(shareOf(caller));
  if (taken.ok) return undefined;
  const { calls, windowMs } = limiter.quota;
  const { retryAfterMs } = taken;
  return core.rate_limited(
    { limit: calls, windowMs },
    {
      retry: { allowed: true, afterMs: retryAfterMs },
      limits: [{ policy: "calls", quota: calls, remaining: 0, windowMs, resetMs: retryAfterMs }],
    },
  );
}
