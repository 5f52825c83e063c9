import { atLeast } from "./policy.ts";

/** Options of the retry budget: a token bucket that every call fills a little and every retry empties by one token. */
export interface BudgetOptions {
  /** How many tokens a call adds. A retry costs one token. @default 0.1 */
  readonly perCall?: number | undefined;
  /** How many tokens there are at the start, and at most. @default 3 */
  readonly reserve?: number | undefined;
  /** The time in which one token is added if there are no calls, in milliseconds. @default 60000 */
  readonly refillMs?: number | undefined;
  /** How many retries may run at the same time, as a share of all running calls. @default 0.2 */
  readonly liveShare?: number | undefined;
  /** How many retries may run at the same time even if there are few calls. @default 3 */
  readonly liveLeast?: number | undefined;
}

/** The state of a retry budget. */
export interface BudgetStatus {
  /** How many tokens there are. */
  readonly tokens: number;
  /** How many calls are running. */
  readonly calls: number;
  /** How many of the running calls are retries. */
  readonly repetitions: number;
}

/** Limits retries to a small part of the traffic, so that they cannot make an outage worse. */
export interface Budget {
  /** Records the start of a call. */
  callBegan(nowMs: number): void;
  /** Records the end of a call. */
  callEnded(): void;
  /** Takes a token for a retry. Returns false if the retry may not be made. */
  beginRepetition(nowMs: number): boolean;
  /** Records the end of a retry. */
  endRepetition(): void;
  /** The current state. */
  status(nowMs: number): BudgetStatus;
}

/** Creates the budget of one server. */
export function createBudget(options: BudgetOptions = {}): Budget {
  const perCall = atLeast(0, options.perCall, 0.1);
  const reserve = atLeast(0, options.reserve, 3);
  const refillMs = atLeast(1, options.refillMs, 60_000);
  const liveShare = atLeast(0, options.liveShare, 0.2);
  const liveLeast = atLeast(0, options.liveLeast, 3);
  let tokens = reserve;
  let refilledMs: number | undefined;
  let calls = 0;
  let repetitions = 0;
  function addTokens(amount: number, nowMs: number): void {
    const refill = refilledMs === undefined ? 0 : Math.max(0, nowMs - refilledMs) / refillMs;
    refilledMs = nowMs;
    tokens = Math.min(reserve, tokens + amount + refill);
  }
  return {
    callBegan(nowMs) {
      calls += 1;
      addTokens(perCall, nowMs);
    },
    callEnded() {
      calls -= 1;
    },
    beginRepetition(nowMs) {
      addTokens(0, nowMs);
      if (tokens < 1 || repetitions >= Math.max(liveLeast, liveShare * calls)) return false;
      tokens -= 1;
      repetitions += 1;
      return true;
    },
    endRepetition() {
      repetitions -= 1;
    },
    status(nowMs) {
      addTokens(0, nowMs);
      return { tokens, calls, repetitions };
    },
  };
}
