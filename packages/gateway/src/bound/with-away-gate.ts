import { FaultError } from "@recourse/faults";
import { stringAt } from "@recourse/faults/internal-do-not-use";
import type { SharedIdempotencyStore } from "@recourse/stores/postgres";
import { AwayGate } from "../stores/away-gate.ts";
import type { Observer } from "../telemetry/observer.ts";
import type { Idempotency } from "./idempotency.ts";

/** No call has this key. It is looked up to see whether the database answers. */
const NO_KEY = "00".repeat(32);
/** How long outcomes may take to be stored when the gateway stops. */
const CLOSE_MS = 5_000;

/**
 * Stands before a store whose database can be away: then calls are refused at once, and a probe finds out when it is back.
 * `timeoutMs` is how long the store itself waits.
 */
export function withAwayGate(
  store: SharedIdempotencyStore,
  observer: Pick<Observer, "switched" | "log">,
  timeoutMs: number,
): Idempotency {
  const gate = new AwayGate({
    probe: () => store.find(NO_KEY, NO_KEY),
    // The store gives up first, since it gives back a claim whose answer comes too late.
    timeoutMs: 2 * timeoutMs,
    onSwitch(state, cause) {
      const answer = state === "away" ? "calls with an idempotency key are refused" : "calls with a key are served";
      observer.switched("idempotency", state, answer);
      if (cause !== undefined)
        observer.log("warn", "the database of the idempotency keys does not answer", { code: stringAt(cause, "code") });
    },
  });

  /** Asks the store. A refusal of its own, such as too many keys of one caller, does not mean that it is away. */
  async function ask<T>(question: () => Promise<T>): Promise<T> {
    const answer = await gate.run(() =>
      question().then(
        (value) => ({ value }),
        (thrown: unknown) => {
          if (FaultError.is(thrown)) return { thrown };
          throw thrown;
        },
      ),
    );
    if ("thrown" in answer) throw answer.thrown;
    return answer.value;
  }

  /** Changes are made whatever the gate knows: the store repeats them until the database is back. */
  async function change(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (cause) {
      gate.failed(cause);
      throw cause;
    }
  }

  return {
    begin: (key, digest, claim) => ask(() => store.begin(key, digest, claim)),
    find: (key, digest) => ask(() => store.find(key, digest)),
    settle: (key, fence, outcome) => change(store.settle(key, fence, outcome)),
    release: (key, fence) => change(store.release(key, fence)),
    async close() {
      gate.close();
      await store.close({ signal: AbortSignal.timeout(CLOSE_MS) });
    },
  };
}
