import { callDeadline, requestMeta, requestSignal, withSignal } from "../sdk/context.ts";
import { checkNumber } from "../wire/check-number.ts";
import { ABORTED, MAX_TIMER_MS, type Raced, race, sleep, TIMED_OUT } from "../wire/waiting.ts";
import type { DeadlineTarget, GuardOptions } from "./options.ts";

/** The caller gives up a little later than it says, and an answer takes a moment to arrive. */
const ANSWER_MARGIN_MS = 50;

/** Throws if a deadline is not valid, so that an author finds out at once. */
export function checkDeadline(deadlineMs: unknown): void {
  if (typeof deadlineMs !== "function") checkNumber("deadlineMs", deadlineMs, { min: 1 });
}

/** How long a request may take: the shorter of the author's and the caller's limit; undefined if neither set one. */
export function requestLimit(
  target: DeadlineTarget,
  context: unknown,
  { deadlineMs }: GuardOptions,
): number | undefined {
  const own = typeof deadlineMs === "function" ? deadlineMs(target) : deadlineMs;
  checkDeadline(own);
  const callers = callDeadline(requestMeta(context));
  const limits = [own, callers === undefined ? undefined : callers - ANSWER_MARGIN_MS];
  const limit = Math.min(...limits.filter((one) => one !== undefined));
  // What no timer can wait for is no limit.
  return limit <= MAX_TIMER_MS ? limit : undefined;
}

export interface TimedWork<T> {
  /** @default no limit */
  readonly ms: number | undefined;
  readonly context: unknown;
  /** The work. Its context has a signal that is also aborted when time is up. */
  readonly run: (context: unknown) => Promise<T>;
  /** Whether the work is over, and only what reads its failure is still being loaded. That takes no time of the limit. */
  readonly isLoading?: () => boolean;
  /** Called with work that ends after it was given up. */
  readonly onLate: () => void;
}

/** Runs work until time is up or the caller is gone. Work whose time has passed, or whose caller is gone, is not begun. */
export async function runTimed<T>({ ms, context, run, isLoading, onLate }: TimedWork<T>): Promise<Raced<T>> {
  const signal = requestSignal(context);
  if (signal?.aborted === true) return ABORTED;
  if (ms === undefined) return run(context);
  if (ms <= 0) return TIMED_OUT;
  const stop = new AbortController();
  const work = run(withSignal(context, signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])));
  const first = await race(work, { ms, sleep, signal });
  if (first === TIMED_OUT && isLoading?.() === true) return work;
  if (first === TIMED_OUT || first === ABORTED) {
    stop.abort(new DOMException("time is up", "TimeoutError"));
    work.then(onLate, onLate);
  }
  return first;
}
