import { setTimeout } from "node:timers/promises";

/** Time as an adapter sees it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; an abort ends the wait at once with a rejection. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The clock of the machine; its waits keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { ref: false, ...(signal && { signal }) }),
};
