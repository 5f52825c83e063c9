import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { unauthorized } from "../../reasons/library/auth.ts";

/**
 * The fault after a round trip: unchanged, except for a refused credential. Every refused credential gets the same
 * answer, so that a caller cannot find out why it was refused.
 */
export function httpAfterRoundTrip(fault: Fault): Fault {
  if (knownKind(fault) !== "unauthenticated") return fault;
  const { effect, basis } = fault;
  return unauthorized.fault({}, { effect, basis });
}
