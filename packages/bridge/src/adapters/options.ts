import { type BreakerOptions, type BreakerRules, toBreakerRules } from "@recourse/core/retry";
import { type Sink, stderrSink } from "@recourse/core/server";
import {
  type Clock,
  checkNumber,
  MAX_TIMER_MS,
  type NumberRange,
  type TestingOptions,
  toClock,
  toRandom,
} from "@recourse/core/wire";

/** Options of an adapter. */
export interface AdapterOptions {
  /** How long a call may take, in ms, unless its tool has a `deadlineMs`. @default 30_000 */
  readonly deadlineMs?: number;
  /** How long `initialise` may take, in ms. @default 10_000 */
  readonly startTimeoutMs?: number;
  /**
   * When calls of a backend that fails, or does not start, are refused, and for how long. After that a call finds out
   * whether it works again. @default the defaults of each field
   */
  readonly breaker?: BreakerOptions;
  /** How long `close` waits for running calls before it aborts them, in ms. @default 10_000 */
  readonly drainTimeoutMs?: number;
  /** How long the backend's own `close` may take, in ms. @default 5_000 */
  readonly closeTimeoutMs?: number;
  /**
   * Receives starts and closings of the backend that failed, and that it is down: no caller hears of them. It also receives
   * the incidents of servers that the adapter guards. @default `stderrSink()`
   */
  readonly sink?: Sink;
  /** Replaces time and randomness in tests. @default the platform's */
  readonly testing?: TestingOptions;
}

const DEFAULT_LIMITS = {
  deadlineMs: 30_000,
  startTimeoutMs: 10_000,
  drainTimeoutMs: 10_000,
  closeTimeoutMs: 5_000,
};

type AdapterLimits = Readonly<typeof DEFAULT_LIMITS>;

export interface ResolvedOptions extends AdapterLimits {
  readonly breaker: BreakerRules;
  readonly sink: Sink;
  readonly clock: Clock;
  readonly random: () => number;
}

export const TIMER_RANGE = { min: 1, max: MAX_TIMER_MS } as const satisfies NumberRange;

export function resolveOptions({ breaker, testing, ...options }: AdapterOptions): ResolvedOptions {
  for (const name of Object.keys(DEFAULT_LIMITS) as (keyof AdapterLimits)[])
    checkNumber(name, options[name], TIMER_RANGE);
  return {
    ...DEFAULT_LIMITS,
    ...options,
    breaker: toBreakerRules(breaker),
    sink: options.sink ?? stderrSink(),
    clock: toClock(testing),
    random: toRandom(testing),
  };
}
