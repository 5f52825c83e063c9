// Waiting with an end: a time limit, a signal, or both.

export const TIMED_OUT: unique symbol = Symbol("timed out");
export const ABORTED: unique symbol = Symbol("aborted");

/** Waits. If the signal is aborted, it rejects at once and clears its timer. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<unknown>;

/** What can end a race before the work ends. */
export interface RaceLimits {
  /** The time limit, in milliseconds. @default no limit */
  readonly ms?: number | undefined;
  /** How to wait. Required if `ms` is given. @default none */
  readonly sleep?: Sleep | undefined;
  /** Ends the race if it is aborted. @default none */
  readonly signal?: AbortSignal | undefined;
}

export type Raced<T> = T | typeof TIMED_OUT | typeof ABORTED;

/**
 * The result of some work, or TIMED_OUT or ABORTED if that comes first. If the work rejects in time, the race rejects too. A
 * later result is ignored. Listener and timer are removed at the end.
 */
export function race<T>(work: Promise<T>, limits: Pick<RaceLimits, "signal">): Promise<T | typeof ABORTED>;
export function race<T>(work: Promise<T>, limits: RaceLimits): Promise<Raced<T>>;
export async function race<T>(work: Promise<T>, { ms, sleep, signal }: RaceLimits): Promise<Raced<T>> {
  // A rejection that comes too late would otherwise be unhandled.
  work.catch(() => {});
  if (signal?.aborted === true) return ABORTED;
  const isTimed = ms !== undefined && ms !== Number.POSITIVE_INFINITY;
  if (!isTimed && signal === undefined) return work;
  const timer = new AbortController();
  let onAbort = (): void => {};
  const runners: Promise<Raced<T>>[] = [work];
  if (signal !== undefined) {
    runners.push(
      new Promise((resolve) => {
        onAbort = () => resolve(ABORTED);
        signal.addEventListener("abort", onAbort, { once: true });
      }),
    );
  }
  if (isTimed && sleep !== undefined) runners.push(timeLimit(sleep, ms, timer.signal));
  try {
    return await Promise.race(runners);
  } finally {
    timer.abort("done");
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Resolves after the time. It never settles if the race is over before. */
function timeLimit(sleep: Sleep, ms: number, signal: AbortSignal): Promise<typeof TIMED_OUT> {
  return new Promise((resolve, reject) => {
    sleep(ms, signal).then(
      () => resolve(TIMED_OUT),
      (cause: unknown) => {
        if (!signal.aborted) reject(cause);
      },
    );
  });
}

/** Some work, and what can end it early. */
export interface LimitedWork<T> {
  /** The time limit, in milliseconds. @default no limit */
  readonly ms?: number | undefined;
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

/** The longest delay of a timer. A longer one would fire at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Waits. An abort rejects at once and clears the timer. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
