import { core, FaultError } from "@recourse/faults";
import type { Clients } from "../store/clients.ts";
import type { Caller } from "./caller.ts";
import type { Tokens } from "./tokens.ts";

/** Finds out who calls. */
export type Identify = (headers: Headers) => Promise<Caller>;

/** The header in which the HTTP server tells from where a request came; one that a client sends is overwritten. */
export const PEER_ADDRESS = "x-peer-address";

/**
 * Finds out who calls by their bearer token.
 *
 * Unknown, revoked, expired and malformed tokens take the same way: all are read, the database is asked about all, and
 * only then it is decided. So neither the answer nor the time it takes tells them apart.
 */
export function identifyWith(tokens: Tokens, clients: Clients): Identify {
  return async (headers) => {
    const address = headers.get(PEER_ADDRESS) ?? "unknown";
    const authorization = headers.get("authorization");
    if (authorization === null) return { is: "anybody", address };
    const token = authorization.replace(/^Bearer +/i, "");
    try {
      const claims = await tokens.read(token);
      const isAccepted = await clients.accepts(claims?.subject, claims?.id);
      if (claims === undefined || !isAccepted) return { is: "refused", address };
      return { is: "known", subject: claims.subject, scopes: claims.scopes, token };
    } catch (thrown) {
      // Nothing has been done yet, whatever broke.
      const why = FaultError.is(thrown) ? thrown : core.internal({}, { effect: "none", cause: thrown });
      return { is: "unchecked", address, why };
    }
  };
}
