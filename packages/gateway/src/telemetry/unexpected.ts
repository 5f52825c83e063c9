import type { Sink } from "@recourse/faults/server";
import type { Observer } from "./observer.ts";

/** Receives exceptions that nobody expected. */
export type UnexpectedObserver = Pick<Observer, "unexpected">;

/** Runs what must not break what comes after it. An exception is logged and counted, and gives undefined. */
export function guarded<T>(where: string, observer: UnexpectedObserver, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    observer.unexpected(error, where);
    return undefined;
  }
}

/** Lets work go on that nobody waits for. A rejection is logged and counted. */
export function inBackground(where: string, observer: UnexpectedObserver, work: PromiseLike<unknown>): void {
  void Promise.resolve(work).catch((error: unknown) => observer.unexpected(error, where));
}

/** A sink that never throws or rejects. What the given one throws is logged and counted. */
export function guardedSink<T>(where: string, observer: UnexpectedObserver, sink: Sink<T>): (incident: T) => void {
  return (incident) => {
    const pending = guarded(where, observer, () => sink(incident));
    if (pending instanceof Object && "then" in pending) inBackground(where, observer, pending as PromiseLike<unknown>);
  };
}
