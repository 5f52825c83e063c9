// Stores whose time passes only where a test says so: what really passes meanwhile is too short to decide anything.
import type { ExtendableIdempotencyStore } from "@recourse/core/server";
import { type IdempotencyStoreLaw, idempotencyStoreLaws } from "@recourse/testing";
import type { Connected } from "./engines.ts";

/** One ms of a test is so many ms of a store. */
export const SLOWNESS = 1_000;

/** A store whose deadlines are given in the time of the test. */
export function slowed(store: ExtendableIdempotencyStore): ExtendableIdempotencyStore {
  return {
    ...store,
    begin(key, digest, claim) {
      const { deadlineMs } = claim;
      return store.begin(key, digest, {
        ...claim,
        deadlineMs: deadlineMs === undefined ? undefined : deadlineMs * SLOWNESS,
      });
    },
    extend: (key, fence, deadlineMs) => store.extend(key, fence, deadlineMs * SLOWNESS),
  };
}

/** The laws of a store. Run one at a time, since a law that waits lets time pass for all keys. */
export function slowLaws({ store, age }: Pick<Connected, "store" | "age">): readonly IdempotencyStoreLaw[] {
  return idempotencyStoreLaws(({ keepMs, ...limits }) => slowed(store({ ...limits, keepMs: keepMs * SLOWNESS })), {
    wait: (ms) => age(ms * SLOWNESS),
  });
}
