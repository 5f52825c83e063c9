import {
  access_denied,
  failed,
  invalid_credentials,
  not_authorized,
  token_expired,
} from "../../../reasons/library/auth.ts";
import type { Principal, ServerState } from "./state.ts";

const ANONYMOUS: Principal = { roles: [], permissions: [] };
const ADMIN: Principal = { roles: ["admin"], permissions: ["read:protected"] };

/** The bearer tokens that the server knows. */
const TOKENS: Readonly<Record<string, (state: ServerState) => Principal>> = {
  admin: () => ADMIN,
  expiring(state) {
    const expiredAt = state.startedAt + state.limits.tokenMs;
    if (state.clock.now() >= expiredAt) throw token_expired({ expiredAt: Math.floor(expiredAt / 1_000) * 1_000 });
    return ANONYMOUS;
  },
  suspended() {
    throw access_denied();
  },
};

/** Name and password of the only account. */
const ACCOUNT = "user:correct-horse";

/** The caller of a request. No credentials mean an anonymous caller; wrong credentials are refused. */
export function authenticate(authorization: string | undefined, state: ServerState): Principal {
  if (authorization === undefined) return ANONYMOUS;
  const [scheme = "", value = ""] = authorization.split(" ");
  if (scheme.toLowerCase() === "basic") {
    if (atob(value) !== ACCOUNT) throw invalid_credentials();
    return ANONYMOUS;
  }
  const known = Object.hasOwn(TOKENS, value) ? TOKENS[value] : undefined;
  if (known === undefined) throw failed({ reason: "invalid_token" });
  return known(state);
}

/** Throws when a caller lacks the role of an operation. */
export function requireRole(principal: Principal, role: string | undefined, operation: string): void {
  if (role !== undefined && !principal.roles.includes(role)) throw not_authorized({ operation, requiredRole: role });
}
