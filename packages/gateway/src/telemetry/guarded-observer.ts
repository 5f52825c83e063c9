import { race, sleep } from "@recourse/faults/internal-do-not-use";
import type { Observer } from "./observer.ts";
import { guarded, guardedSink } from "./unexpected.ts";

/** How long an observer may take to close. */
const CLOSE_MS = 5_000;

const guardedOnes = new WeakSet<Observer>();

/**
 * An observer that keeps the promise of its type whatever the given one does: nothing in it throws, and closing it ends. What
 * the given one throws is told to its own `unexpected`.
 */
export function guardedObserver(inner: Observer): Observer {
  if (guardedOnes.has(inner)) return inner;
  const unexpected = (error: unknown, where: string): void => {
    try {
      inner.unexpected(error, where);
    } catch {
      // There is nobody left to tell.
    }
  };
  const self = { unexpected };
  const outer: Observer = {
    unexpected,
    began: (call) => guarded("observer.began", self, () => inner.began(call)),
    traceOf: (call) => guarded("observer.traceOf", self, () => inner.traceOf(call)),
    ended: (call, fault) => guarded("observer.ended", self, () => inner.ended(call, fault)),
    switched: (control, state, answer) =>
      guarded("observer.switched", self, () => inner.switched(control, state, answer)),
    breaker: (scope, state) => guarded("observer.breaker", self, () => inner.breaker(scope, state)),
    log: (level, message, facts) => guarded("observer.log", self, () => inner.log(level, message, facts)),
    sink: guardedSink("observer.sink", self, (incident) => inner.sink(incident)),
    async metrics() {
      try {
        return await inner.metrics();
      } catch (error) {
        unexpected(error, "observer.metrics");
        throw error;
      }
    },
    async close() {
      try {
        await race(Promise.resolve(inner.close()), { ms: CLOSE_MS, sleep });
      } catch (error) {
        unexpected(error, "observer.close");
      }
    },
  };
  guardedOnes.add(outer);
  return outer;
}
