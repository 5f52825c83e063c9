import type { SearchableIdempotencyStore } from "@recourse/faults/server";

/** The idempotency keys of a gateway. `begin` and `find` reject where the store is away; a fault says why otherwise. */
export interface Idempotency extends SearchableIdempotencyStore {
  /** Waits until the outcomes that are known are stored, within a bound. */
  close(): Promise<void>;
}
