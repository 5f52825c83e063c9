import { ABORTED, type Raced, race, type Sleep, TIMED_OUT } from "./race.ts";

/** Some work, and what can end it early. */
export interface LimitedWork<T> {
  /** The time limit, in milliseconds. @default no limit */
  readonly ms?: number | undefined;
  /** How to wait. */
  readonly sleep: Sleep;
  /** Aborted if the caller no longer waits. @default none */
  readonly signal?: AbortSignal | undefined;
  /** The work. Its signal is aborted if time is up or the caller no longer waits. */
  readonly run: (signal: AbortSignal) => T | Promise<T>;
  /** Called with a result that came too late. @default none */
  readonly onLateResult?: ((result: T) => void) | undefined;
}

/** Runs some work within limits. If no time is left or the caller no longer waits, the work is not started. */
export async function runLimited<T>(work: LimitedWork<T>): Promise<Raced<T>> {
  const { ms, sleep, signal, run, onLateResult } = work;
  if (signal?.aborted === true) return ABORTED;
  if (ms !== undefined && ms <= 0) return TIMED_OUT;
  const controller = new AbortController();
  const running = (async () => run(controller.signal))();
  const first = await race(running, { ms, sleep, signal });
  if (first === TIMED_OUT || first === ABORTED) {
    controller.abort(first === TIMED_OUT ? new DOMException("time is up", "TimeoutError") : signal?.reason);
    running.then(onLateResult, () => {});
  }
  return first;
}
