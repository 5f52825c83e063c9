import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import { afterPeerRead } from "../peer-fault.ts";

/**
 * The fault after a round trip to a reader that knows the service to send faults (`speaksFaults`): the same failure, with
 * its texts as those of the service.
 */
export function httpAfterRoundTrip(fault: Fault): Fault {
  return afterPeerRead(uniformRefusal(fault));
}

/** Every refused credential gets the same answer, so that a caller cannot find out why it was refused. */
export function uniformRefusal(fault: Fault): Fault {
  if (knownKind(fault) !== "unauthenticated") return fault;
  const { effect, basis } = fault;
  return unauthorized.fault({}, { effect, basis });
}
