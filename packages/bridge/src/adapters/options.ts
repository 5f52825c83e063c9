import { setTimeout } from "node:timers/promises";
import type { BreakerOptions } from "@recourse/faults/retry";
import { type Sink, stderrSink } from "@recourse/faults/server";
import { type Clock, checkNumbers, MAX_TIMER_MS, type NumberRange, type TestingOptions, toClock } from "@recourse/wire";

/** When calls of a backend that fails are refused, and how soon it is checked again. */
export interface AdapterBreakerOptions extends BreakerOptions {
  /** After how many failures in a row the backend is `down`, so that calls are refused at once. @default 5 */
  readonly failures?: number | undefined;
  /** After how many failures in a row the backend is `degraded`. @default 2, or `failures` if that is less */
  readonly degradedFailures?: number | undefined;
  /** How soon a failing backend is checked again, in ms. It doubles with every check that fails. @default 5_000 */
  readonly pauseMs?: number | undefined;
  /** The longest pause between two checks of a failing backend, in ms. @default `healthIntervalMs` */
  readonly maxPauseMs?: number | undefined;
}

/** Options of an adapter. */
export interface AdapterOptions {
  /**
   * How long a call may take, in ms, unless its tool has a `deadlineMs`.
   *
   * @default 30_000
   */
  readonly deadlineMs?: number;
  /**
   * How long `initialise` may take, in ms.
   *
   * @default 10_000
   */
  readonly startTimeoutMs?: number;
  /**
   * How long after a failed start the next one may begin, in ms; the pause doubles with each failure.
   *
   * @default 1_000
   */
  readonly restartPauseMs?: number;
  /**
   * The longest pause between two starts, in ms.
   *
   * @default 60_000
   */
  readonly maxRestartPauseMs?: number;
  /**
   * How often a backend that works is checked, in ms.
   *
   * @default 60_000
   */
  readonly healthIntervalMs?: number;
  /**
   * How long a check may take, in ms.
   *
   * @default 5_000
   */
  readonly healthTimeoutMs?: number;
  /**
   * When calls of a backend that fails are refused.
   *
   * @default see `AdapterBreakerOptions`
   */
  readonly breaker?: AdapterBreakerOptions;
  /**
   * How long `close` waits for running calls before it aborts them, in ms.
   *
   * @default 10_000
   */
  readonly drainTimeoutMs?: number;
  /**
   * How long the backend's own `close` may take, in ms.
   *
   * @default 5_000
   */
  readonly closeTimeoutMs?: number;
  /**
   * Receives starts, checks and closings of the backend that failed: no caller hears of them. It also receives the
   * incidents of servers that the adapter guards.
   *
   * @default `stderrSink()`
   */
  readonly sink?: Sink;
  /**
   * Called when the status of the backend changes, for example to count it.
   *
   * @default none
   */
  readonly onStatus?: (change: { readonly from: BackendStatus; readonly to: BackendStatus }) => void;
  /**
   * Replaces time in tests.
   *
   * @default the platform's
   */
  readonly testing?: TestingOptions;
}

/** Waiting for a check must not keep the process alive. */
const idleSleep: Clock["sleep"] = (ms, signal) => setTimeout(ms, undefined, { ref: false, ...(signal && { signal }) });

const DEFAULT_LIMITS = {
  deadlineMs: 30_000,
  startTimeoutMs: 10_000,
  restartPauseMs: 1_000,
  maxRestartPauseMs: 60_000,
  healthIntervalMs: 60_000,
  healthTimeoutMs: 5_000,
  drainTimeoutMs: 10_000,
  closeTimeoutMs: 5_000,
};

/** The time limits of an adapter. */
export type AdapterLimits = Readonly<typeof DEFAULT_LIMITS>;

/** The rules of an adapter's breaker. */
export type AdapterBreakerRules = Readonly<Record<keyof AdapterBreakerOptions, number>>;

/** Options with every default filled in. */
export interface ResolvedOptions extends AdapterLimits, Pick<AdapterOptions, "onStatus"> {
  readonly breaker: AdapterBreakerRules;
  readonly sink: Sink;
  readonly clock: Clock;
}

/** What a timer can wait for. */
export const TIMER_RANGE = { min: 1, max: MAX_TIMER_MS } as const satisfies NumberRange;

const LIMIT_RANGES = {
  deadlineMs: TIMER_RANGE,
  startTimeoutMs: TIMER_RANGE,
  restartPauseMs: TIMER_RANGE,
  maxRestartPauseMs: TIMER_RANGE,
  healthIntervalMs: TIMER_RANGE,
  healthTimeoutMs: TIMER_RANGE,
  drainTimeoutMs: TIMER_RANGE,
  closeTimeoutMs: TIMER_RANGE,
} as const satisfies Record<keyof AdapterLimits, NumberRange>;

const ADAPTER_BREAKER_RANGES = {
  failures: { min: 1 },
  degradedFailures: { min: 1 },
  pauseMs: TIMER_RANGE,
  maxPauseMs: TIMER_RANGE,
} as const satisfies Record<keyof AdapterBreakerRules, NumberRange>;

/** Fills in the defaults. Throws for a number that is out of its range. */
export function resolveOptions({ breaker = {}, testing, ...options }: AdapterOptions): ResolvedOptions {
  checkNumbers("", options, LIMIT_RANGES);
  checkNumbers("breaker", breaker, ADAPTER_BREAKER_RANGES);
  const limits = { ...DEFAULT_LIMITS, ...options };
  const { failures = 5, pauseMs = 5_000, maxPauseMs = limits.healthIntervalMs } = breaker;
  const { degradedFailures = Math.min(2, failures) } = breaker;
  if (degradedFailures > failures)
    throw new RangeError(`breaker.degradedFailures must not be above breaker.failures, but it is ${degradedFailures}`);
  return {
    ...limits,
    breaker: { failures, degradedFailures, pauseMs, maxPauseMs },
    sink: options.sink ?? stderrSink(),
    clock: toClock({ clock: { sleep: idleSleep, ...testing?.clock } }),
  };
}

/** How well a backend works. */
export type BackendStatus = "healthy" | "degraded" | "down";
