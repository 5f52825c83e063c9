import { FaultError } from "@recourse/core";
import type { IdempotencyState } from "@recourse/core/server";
import type { KeyOutcome } from "../call/observer.ts";
import type { Idempotency } from "./idempotency.ts";

export interface CountedIdempotency extends Idempotency {
  readonly counts: Readonly<Record<KeyOutcome, number>>;
}

const OUTCOMES = {
  settled: "stored",
  running: "running",
  unknown: "unknown",
  other: "reused",
} as const satisfies Record<Exclude<IdempotencyState["state"], "new">, KeyOutcome>;

/** Counts what comes of keys: those that are claimed, and known ones whose call may not be sent. */
export function countKeys(store: Idempotency): CountedIdempotency {
  const counts: Record<KeyOutcome, number> = {
    ...{ fresh: 0, taken_over: 0, stored: 0, running: 0 },
    ...{ unknown: 0, reused: 0, refused: 0, unavailable: 0 },
  };
  return {
    ...store,
    counts,
    async begin(key, digest, claim) {
      try {
        const begun = await store.begin(key, digest, claim);
        if (begun.state !== "new") counts[OUTCOMES[begun.state]] += 1;
        else if (begun.isTakenOver === true) counts.taken_over += 1;
        else counts.fresh += 1;
        return begun;
      } catch (thrown) {
        // A store that is there says by a fault why it refuses a key.
        counts[FaultError.is(thrown) ? "refused" : "unavailable"] += 1;
        throw thrown;
      }
    },
    async find(key, digest) {
      const found = await store.find(key, digest);
      if (found.state !== "absent") counts[OUTCOMES[found.state]] += 1;
      return found;
    },
  };
}
