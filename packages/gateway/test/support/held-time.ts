import { eventually } from "@recourse/test-kit/eventually";
import { onTestFinished, vi } from "vitest";

/**
 * From now on timers run only in `pass`, until the test has ended. Sockets and processes go on, and so do timers that wait for
 * no time: servers use them to let others go first.
 */
export function holdTime(): void {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const beganMs = performance.now();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  // The fake clock begins with 0, but time never goes back.
  const { now } = performance;
  performance.now = () => beganMs + now.call(performance);
  onTestFinished(() => void vi.useRealTimers());
  const { setTimeout: hold, clearTimeout: drop } = globalThis;
  const started = new WeakSet<object>();
  const setEither = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    if (ms > 1) return hold(run, ms, ...args);
    const timer = start(run, ms, ...args);
    started.add(timer);
    return timer;
  };
  globalThis.setTimeout = setEither as typeof setTimeout;
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === "object" && started.has(timer)) stop(timer);
    else drop(timer);
  };
}

/** Lets time pass, with all the timers in it. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

/** Lets time pass in steps until some work has ended, for work whose timers begin only after others have answered. */
export async function passUntil<T>(work: Promise<T>, stepMs = 100): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  await eventually(async () => {
    if (!isOver) await pass(stepMs);
    if (!isOver) throw new Error(`it has not ended after ${performance.now()} ms`);
  });
  return work;
}
