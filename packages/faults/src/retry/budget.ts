import { atLeast } from "./policy.ts";

/** How much repeating one client may add to the load of a server. */
export interface BudgetOptions {
  /** What every call pays in; a repetition costs 1. */
  readonly perCall?: number | undefined;
  /** What is in it at the start, and the most it holds. */
  readonly reserve?: number | undefined;
  /** How long a client that makes few calls waits for one more repetition. */
  readonly refillMs?: number | undefined;
  /** Repetitions that may be under way, as a share of all calls that are. */
  readonly liveShare?: number | undefined;
  /** Repetitions that may be under way however few calls there are. */
  readonly liveLeast?: number | undefined;
}

/** How a budget stands. */
export interface BudgetStatus {
  /** Repetitions that it would pay now. */
  readonly tokens: number;
  /** Calls, and repetitions among them, that are under way. */
  readonly calls: number;
  readonly repetitions: number;
}

/** Keeps repetitions a small part of the traffic, so that they cannot make an outage worse. */
export interface Budget {
  /** A call begins: it pays in. */
  callBegan(nowMs: number): void;
  callEnded(): void;
  /** Asks for one repetition, and pays for it when it is granted. */
  beginRepetition(nowMs: number): boolean;
  endRepetition(): void;
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
  let countedMs: number | undefined;
  let calls = 0;
  let repetitions = 0;
  function payIn(amount: number, nowMs: number): void {
    const refill = countedMs === undefined ? 0 : Math.max(0, nowMs - countedMs) / refillMs;
    countedMs = nowMs;
    tokens = Math.min(reserve, tokens + amount + refill);
  }
  return {
    callBegan(nowMs) {
      calls += 1;
      payIn(perCall, nowMs);
    },
    callEnded() {
      calls -= 1;
    },
    beginRepetition(nowMs) {
      payIn(0, nowMs);
      if (tokens < 1 || repetitions >= Math.max(liveLeast, liveShare * calls)) return false;
      tokens -= 1;
      repetitions += 1;
      return true;
    },
    endRepetition() {
      repetitions -= 1;
    },
    status(nowMs) {
      payIn(0, nowMs);
      return { tokens, calls, repetitions };
    },
  };
}
