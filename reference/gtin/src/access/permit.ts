import type { FaultError } from "@recourse/faults";
import { auth, core } from "@recourse/faults/reasons";
import type { Limiter } from "@recourse/reference-shared";

/** The caller of an operation. */
export type Caller =
  /** Sent no credentials. */
  | { readonly kind: "anonymous"; readonly address: string }
  /** Sent a valid token. */
  | {
      readonly kind: "authenticated";
      readonly subject: string;
      readonly scopes: readonly string[];
      readonly token: string;
    }
  /** Sent a token that is not valid. The reason is not kept, so that no answer can tell. */
  | { readonly kind: "refused"; readonly address: string }
  /** Sent a token that could not be checked. */
  | { readonly kind: "unchecked"; readonly address: string; readonly error: FaultError };

/** Who may call an operation: everyone without limits, everyone within the limits, or callers with a scope. */
export type Access = "open" | "limited" | { readonly scope: string };

/** Why the caller may not call now; undefined if it may. */
export function accessError(access: Access, caller: Caller, limiter: Limiter): FaultError | undefined {
  if (access === "open") return undefined;
  return limitError(limiter, caller) ?? credentialError(access, caller);
}

/** What is wrong with the credentials of a caller, apart from limits. */
export function credentialError(access: Exclude<Access, "open">, caller: Caller): FaultError | undefined {
  switch (caller.kind) {
    case "unchecked":
      return caller.error;
    case "refused":
      return auth.unauthorized();
    case "anonymous":
      return access === "limited" ? undefined : auth.unauthorized();
    case "authenticated":
      if (access === "limited" || caller.scopes.includes(access.scope)) return undefined;
      return auth.insufficient_scope({ scopes: [access.scope] });
    default:
      return caller satisfies never;
  }
}

function limitError(limiter: Limiter, caller: Caller): FaultError | undefined {
  const taken = limiter.take(limiterKey(caller));
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

/** Authenticated callers have a limit each; all others share the limit of their address. */
function limiterKey(caller: Caller): string {
  return caller.kind === "authenticated" ? `subject ${caller.subject}` : `address ${caller.address}`;
}
