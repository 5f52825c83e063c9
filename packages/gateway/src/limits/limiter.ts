import type { Fault } from "@recourse/faults";
import type { Call } from "../pipeline/call.ts";
import type { RefusedMessages } from "./refused-messages.ts";

/** The limits of a gateway. */
export interface Limiter {
  /** A fault with the true wait where a limit is used up. It waits only where the store has to be asked. */
  take(call: Call): Fault | undefined | Promise<Fault | undefined>;
  /** Counts messages that are refused before their limits are known. */
  readonly refusedMessages: RefusedMessages;
  /** Whether the store of the limits answers. */
  readonly isAway: boolean;
  close(): Promise<void>;
}
