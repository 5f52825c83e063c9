import type { Clock } from "./clock.ts";

/** Time ran out. */
export const LATE: unique symbol = Symbol("late");
/** Nobody waits any more. */
export const STOPPED: unique symbol = Symbol("stopped");

/** Some work, and how long it may take. */
export interface Limited<T> {
  readonly ms: number;
  readonly clock: Clock;
  /** Ends the wait when nobody is interested any more. */
  readonly signal?: AbortSignal | undefined;
  /** The work; its signal is aborted when time is up or nobody waits. */
  readonly run: (signal: AbortSignal) => T | Promise<T>;
  /** Gets a result that came too late to be waited for. */
  readonly onLate?: (result: T) => void;
}

/**
 * The result of some work, or LATE or STOPPED when it is no longer waited for. What it throws after that is dropped, and what
 * it throws before is thrown here.
 */
export async function limited<T>({
  ms,
  clock,
  signal,
  run,
  onLate,
}: Limited<T>): Promise<T | typeof LATE | typeof STOPPED> {
  if (signal?.aborted === true) return STOPPED;
  const work = new AbortController();
  const timer = new AbortController();
  const stopped = Promise.withResolvers<typeof STOPPED>();
  const stop = () => stopped.resolve(STOPPED);
  signal?.addEventListener("abort", stop, { once: true });
  const late = clock.sleep(ms, timer.signal).then(
    (): typeof LATE => LATE,
    // The timer is only ever ended from below, when the race is over.
    (): typeof STOPPED => STOPPED,
  );
  const result = (async () => run(work.signal))();
  try {
    const first = await Promise.race([result, late, stopped.promise]);
    if (first === LATE || first === STOPPED) {
      work.abort(first === LATE ? new DOMException("time is up", "TimeoutError") : signal?.reason);
      result.then(onLate, () => {});
    }
    return first;
  } finally {
    timer.abort();
    signal?.removeEventListener("abort", stop);
  }
}
