import { FaultError } from "@recourse/faults";
import { core } from "@recourse/faults/reasons";
import type { Clients } from "../store/clients.ts";
import type { Caller } from "./permit.ts";
import type { Tokens } from "./tokens.ts";

/** Identifies the caller of a request. */
export type Identify = (headers: Headers) => Promise<Caller>;

/** The header in which the HTTP server passes the address of the client. It replaces a header that the client sends. */
export const CLIENT_ADDRESS_HEADER = "x-peer-address";

/**
 * Identifies callers by their bearer token.
 *
 * Unknown, revoked, expired and malformed tokens are handled alike: each is read, and the database is asked about each,
 * before the decision. So neither the answer nor its duration shows what is wrong with a token.
 */
export function createIdentify(tokens: Tokens, clients: Clients): Identify {
  return async (headers) => {
    const address = headers.get(CLIENT_ADDRESS_HEADER) ?? "unknown";
    const authorization = headers.get("authorization");
    if (authorization === null) return { kind: "anonymous", address };
    const token = authorization.replace(/^Bearer +/i, "");
    try {
      const claims = await tokens.read(token);
      const isAccepted = await clients.accepts(claims?.subject, claims?.id);
      if (claims === undefined || !isAccepted) return { kind: "refused", address };
      return { kind: "authenticated", subject: claims.subject, scopes: claims.scopes, token };
    } catch (thrown) {
      // Nothing has been done yet.
      const error = FaultError.is(thrown) ? thrown : core.internal({}, { effect: "none", cause: thrown });
      return { kind: "unchecked", address, error };
    }
  };
}
