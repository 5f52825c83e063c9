import type { Fault } from "@recourse/faults";
import type { Call } from "../pipeline/call.ts";

/** The limits of a gateway. */
export interface Limiter {
  /** A fault with the true wait where a limit is used up. It waits only where the store has to be asked. */
  take(call: Call): Fault | undefined | Promise<Fault | undefined>;
  /** Whether the store of the limits answers. */
  readonly isAway: boolean;
  close(): Promise<void>;
}
