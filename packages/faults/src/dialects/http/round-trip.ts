import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import { afterPeerRead } from "../peer-fault.ts";

/**
 * The fault after a round trip to a reader that calls the service its own (`speaksFaults`): the same failure, in the same
 * words.
 */
export function httpAfterRoundTrip(fault: Fault): Fault {
  return afterPeerRead(uniformRefusal(fault), { speaksFaults: true });
}

/** Every refused credential gets the same answer, so that a caller cannot find out why it was refused. */
export function uniformRefusal(fault: Fault): Fault {
  if (knownKind(fault) !== "unauthenticated") return fault;
  const { effect, basis } = fault;
  return unauthorized.fault({}, { effect, basis });
}
