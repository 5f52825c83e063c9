import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { unauthorized } from "../../reasons/library/auth.ts";

/**
 * Survives: everything, since the fault travels whole.
 * The one exception is a refused credential: all become the same reason, with nothing but effect and basis of their own.
 */
export function keeps(fault: Fault): Fault {
  if (knownKind(fault) !== "unauthenticated") return fault;
  const { effect, basis } = fault;
  return unauthorized.fault({}, { effect, basis });
}
