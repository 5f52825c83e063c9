import { setTimeout as sleep } from "node:timers/promises";

/** The time of a peer: it can be made to pass faster. */
export interface Clock {
  now(): number;
  /** Makes everything that has a lifetime older by so many milliseconds. */
  pass(ms: number): void;
}

/** A clock that starts with somebody else's. */
export function createClock(now: () => number): Clock {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    pass(ms) {
      ahead += ms;
    },
  };
}

/** Waits for so long, or until the signal says that nobody cares any more; never rejects. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Waits until the signal says so. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** What `run` gives, or what `late` throws when it takes longer; `run` is told to stop. */
export async function within<T>(
  ms: number,
  options: { readonly signal: AbortSignal; readonly late: () => Error },
  run: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ms);
  const tooLate = aborted(over.signal).then(() => {
    throw options.late();
  });
  try {
    return await Promise.race([run(AbortSignal.any([options.signal, over.signal])), tooLate]);
  } finally {
    clearTimeout(timer);
    tooLate.catch(() => undefined);
  }
}
