import { numberAt } from "../../../dialects/wire.ts";
import { FaultError } from "../../../fault/error.ts";
import { insufficient_scope, unauthorized } from "../../../reasons/library/auth.ts";
import { internal } from "../../../reasons/library/core.ts";
import { toFault } from "../../../reasons/unknown/to-fault.ts";
import { type Exchange, messageOf, type Refusal, type Step } from "../exchange.ts";
import type { Authentication } from "../options.ts";

/** Who calls, and may they? Whatever is wrong with credentials gets one and the same answer. */
export const checkAuthentication: Step = async (exchange) => {
  const { authenticate } = exchange.options;
  if (authenticate === undefined) return exchange;
  try {
    return judge(await authenticate(exchange.request, messageOf(exchange)), exchange);
  } catch (thrown) {
    // Nothing has run yet, so whatever broke had no effect.
    const refused = FaultError.is(thrown) ? toFault(thrown) : internal.fault({}, { effect: "none" });
    return { refused, cause: thrown, foreign: true };
  }
};

function judge(found: Authentication, exchange: Exchange): Exchange | Refusal {
  const refused = unauthorized.fault();
  const expiresAt = numberAt(found.auth, "expiresAt");
  const now = exchange.options.now ?? Date.now;
  if (expiresAt !== undefined && expiresAt * 1_000 <= now()) return { refused };
  if (found.ok === true) return found.auth === undefined ? exchange : { ...exchange, auth: found.auth };
  const { challenge } = found;
  if (typeof challenge !== "object" || !hasCredentials(found, exchange)) return { refused };
  return { refused: insufficient_scope.fault({ scopes: challenge.scopes }) };
}

/** A caller without credentials is asked for those first, whatever scopes they would lack. */
function hasCredentials(found: Authentication, { request }: Exchange): boolean {
  return found.auth !== undefined || request.headers.has("authorization");
}
