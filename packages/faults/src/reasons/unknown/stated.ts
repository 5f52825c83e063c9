import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { readFault } from "../../fault/read.ts";
import { withhold } from "../../fault/withhold.ts";
import type { Nets } from "../../safety/nets.ts";
import { peek } from "./peek.ts";
import { snapshot } from "./snapshot.ts";

/** The fault of a FaultError, of this copy of the package or another; read anew, since another may be newer or forged. */
export function statedFault(value: unknown, nets: Nets): Fault | undefined {
  if (!FaultError.is(value)) return undefined;
  try {
    if (FaultError.isOwn(value)) return withhold(value.fault, nets.secrets);
  } catch {
    // Frozen, but not a fault that was built here: it is read like any other.
  }
  return readFault(snapshot(peek(value, "fault")), nets);
}
