import { setTimeout as sleep } from "node:timers/promises";
import { race, TIMED_OUT } from "@recourse/core/wire";

/** How long misbehaviours take that are about time, unless an option says otherwise. */
export const DEFAULT_DELAY_MS = 200;

/** The clock of a peer. A test can advance it. */
export interface PeerClock {
  now(): number;
  /** Makes everything that has a lifetime older by this many milliseconds. */
  advance(ms: number): void;
}

/** A clock that starts at the time of another one. */
export function createClock(now: () => number): PeerClock {
  let aheadMs = 0;
  return {
    now: () => now() + aheadMs,
    advance(ms) {
      aheadMs += ms;
    },
  };
}

/** Waits until the time has passed or the signal is aborted; never rejects. */
export async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/** Waits until the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The result of `run`. After `ms` milliseconds it throws `timeoutError()` and aborts the signal that `run` was given. */
export async function withTimeout<T>(
  ms: number,
  options: { readonly signal: AbortSignal; readonly timeoutError: () => Error },
  run: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const timeout = new AbortController();
  const work = (async () => run(AbortSignal.any([options.signal, timeout.signal])))();
  const result = await race(work, { ms, sleep: (time, signal) => sleep(time, undefined, { signal }) });
  if (result !== TIMED_OUT) return result as T;
  timeout.abort();
  throw options.timeoutError();
}
