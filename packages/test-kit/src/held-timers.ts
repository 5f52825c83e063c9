/** Timers that fire when the test says so. */
export interface HeldTimers extends Disposable {
  readonly count: number;
  /** What a clock has to add: 0 until they fire, then their time. */
  readonly passedMs: number;
  /** Fires all that are set, in the order in which they were set. */
  fire(): void;
}

/** The part of its time that may have passed before a timer is set. */
const MAX_PASSED = 0.1;

/** What `setTimeout` of the platform takes at most. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Takes hold of the timers of `setTimeout` that are set for this time, such as the deadline of a call. All others are left to the
 * platform, so that real connections work. A time of an hour cannot be confused with that of another timer, however slow the
 * machine is.
 *
 * @example
 * using deadline = holdTimers(3_600_000);
 * const monotonic = () => performance.now() + deadline.passedMs;
 * const call = recourse(client, { testing: { clock: { monotonic } } }).call("wait", {}, { deadlineMs: 3_600_000 });
 * await begun;
 * deadline.fire();
 */
export function holdTimers(ms: number): HeldTimers {
  const platform = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  const held = new Map<unknown, () => void>();
  let passedMs = 0;
  const setHeld = (run: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) => {
    if (delay > ms || delay < ms * (1 - MAX_PASSED)) return platform.setTimeout(run, delay, ...args);
    // It has the methods of a timer, and never fires by itself.
    const timer = platform.setTimeout(() => {}, NEVER_MS).unref();
    held.set(timer, () => run(...args));
    return timer;
  };
  const clear = (timer: NodeJS.Timeout | undefined) => {
    held.delete(timer);
    platform.clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout: setHeld, clearTimeout: clear });
  return {
    get count() {
      return held.size;
    },
    get passedMs() {
      return passedMs;
    },
    fire() {
      passedMs += ms;
      for (const [timer, run] of held) {
        clear(timer as NodeJS.Timeout);
        run();
      }
    },
    [Symbol.dispose]() {
      Object.assign(globalThis, platform);
      for (const timer of held.keys()) platform.clearTimeout(timer as NodeJS.Timeout);
    },
  };
}
