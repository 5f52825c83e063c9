import { setTimeout } from "node:timers/promises";
import { MAX_TIMER_MS } from "@recourse/faults/internal-do-not-use";
import type { Sink } from "@recourse/faults/server";
import type { BackendStatus } from "./health.ts";

/** The time limits and thresholds of an adapter. */
export interface AdapterLimits {
  /**
   * How long a call may take, in ms, unless its tool has a `timeoutMs`.
   *
   * @default 30_000
   */
  readonly timeoutMs: number;
  /**
   * How long `initialise` may take, in ms.
   *
   * @default 10_000
   */
  readonly initialiseTimeoutMs: number;
  /**
   * How long after a failed start the next one may begin, in ms; the delay doubles with each failure.
   *
   * @default 1_000
   */
  readonly restartDelayMs: number;
  /**
   * The longest delay between two starts, in ms.
   *
   * @default 60_000
   */
  readonly maxRestartDelayMs: number;
  /**
   * How often a backend that works is checked, in ms.
   *
   * @default 60_000
   */
  readonly healthIntervalMs: number;
  /**
   * How long a check may take, in ms.
   *
   * @default 5_000
   */
  readonly healthTimeoutMs: number;
  /**
   * How soon a failing backend is checked again, in ms. The delay doubles with each failed check, up to
   * `healthIntervalMs`.
   *
   * @default 5_000
   */
  readonly probeDelayMs: number;
  /**
   * After how many failures in a row the backend is `degraded`.
   *
   * @default 2
   */
  readonly degradedAfter: number;
  /**
   * After how many failures in a row the backend is `down`, so that calls are refused at once.
   *
   * @default 5
   */
  readonly downAfter: number;
  /**
   * How long `close` waits for running calls before it aborts them, in ms.
   *
   * @default 10_000
   */
  readonly drainTimeoutMs: number;
  /**
   * How long the backend's own `close` may take, in ms.
   *
   * @default 5_000
   */
  readonly closeTimeoutMs: number;
}

/** Options of an adapter. */
export interface AdapterOptions extends Partial<AdapterLimits> {
  /**
   * Receives starts, checks and closings of the backend that failed: no caller hears of them. It also receives the
   * incidents of servers that the adapter guards.
   *
   * @default such failures are dropped, and guarded servers write their incidents to standard error
   */
  readonly sink?: Sink;
  /**
   * Called when the status of the backend changes, for example to count it.
   *
   * @default none
   */
  readonly onStatus?: (change: { readonly from: BackendStatus; readonly to: BackendStatus }) => void;
  /**
   * The clock; tests pass their own.
   *
   * @default the system clock
   */
  readonly clock?: Clock;
}

/** The clock of an adapter. */
export interface Clock {
  /** The current time, in ms since 1970. */
  now(): number;
  /** Resolves after the time; rejects as soon as the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Waiting for a check must not keep the process alive. */
const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { ref: false, ...(signal && { signal }) }),
};

const DEFAULT_LIMITS: AdapterLimits = {
  timeoutMs: 30_000,
  initialiseTimeoutMs: 10_000,
  restartDelayMs: 1_000,
  maxRestartDelayMs: 60_000,
  healthIntervalMs: 60_000,
  healthTimeoutMs: 5_000,
  probeDelayMs: 5_000,
  degradedAfter: 2,
  downAfter: 5,
  drainTimeoutMs: 10_000,
  closeTimeoutMs: 5_000,
};

/** Options with every default filled in. */
export type ResolvedOptions = AdapterLimits & Pick<AdapterOptions, "sink" | "onStatus"> & { readonly clock: Clock };

/** Fills in the defaults. Throws for a limit that could not be kept. */
export function resolveOptions(options: AdapterOptions): ResolvedOptions {
  const resolved = { clock: systemClock, ...DEFAULT_LIMITS, ...options };
  for (const name of Object.keys(DEFAULT_LIMITS) as (keyof AdapterLimits)[]) checkPositive(name, resolved[name]);
  if (resolved.degradedAfter > resolved.downAfter)
    throw new RangeError("degradedAfter must not be above downAfter: lower it, or raise downAfter");
  return resolved;
}

/** Throws unless a limit is a number above zero that a timer can wait for. */
export function checkPositive(name: string, value: number): void {
  const isValid = typeof value === "number" && value > 0 && value <= MAX_TIMER_MS;
  if (!isValid) throw new RangeError(`${name} must be a number above zero, and at most ${MAX_TIMER_MS}`);
}
