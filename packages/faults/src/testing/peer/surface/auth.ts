import {
  access_denied,
  failed,
  invalid_credentials,
  not_authorized,
  token_expired,
} from "../../../reasons/library/auth.ts";
import type { Principal, World } from "./world.ts";

const ANYBODY: Principal = { name: "anybody", roles: [], permissions: [] };
const ADMIN: Principal = { name: "admin", roles: ["admin"], permissions: ["read:protected"] };

/** The bearer tokens that the peer knows, and what becomes of each. */
const TOKENS: Readonly<Record<string, (world: World) => Principal>> = {
  admin: () => ADMIN,
  expiring(world) {
    const expiredAt = world.startedAt + world.limits.tokenMs;
    if (world.clock.now() >= expiredAt) throw token_expired({ expiredAt: Math.floor(expiredAt / 1_000) * 1_000 });
    return ANYBODY;
  },
  suspended() {
    throw access_denied();
  },
};

/** Name and password of the one account. */
const ACCOUNT = "user:correct-horse";

/** Who sends this; without credentials anybody may come in, with wrong ones nobody. */
export function identify(authorization: string | undefined, world: World): Principal {
  if (authorization === undefined) return ANYBODY;
  const [scheme = "", value = ""] = authorization.split(" ");
  if (scheme.toLowerCase() === "basic") {
    if (atob(value) !== ACCOUNT) throw invalid_credentials();
    return ANYBODY;
  }
  const known = Object.hasOwn(TOKENS, value) ? TOKENS[value] : undefined;
  if (known === undefined) throw failed({ reason: "invalid_token" });
  return known(world);
}

/** Refuses an operation to those who lack its role. */
export function needRole(who: Principal, role: string | undefined, operation: string): void {
  if (role !== undefined && !who.roles.includes(role)) throw not_authorized({ operation, requiredRole: role });
}
