import type { Fault } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { checkNumbers, type NumberRange } from "../wire/check-number.ts";

export interface RetryPolicy {
  /** The maximum number of attempts, the first one included: from 1 to 10. @default 3 */
  readonly attempts: number;
  /** The longest first wait if the server stated none, in ms. It doubles with every attempt. @default 200 */
  readonly baseMs: number;
  /** The same for a server that is overloaded or limits the rate of calls. @default 1000 */
  readonly overloadBaseMs: number;
  /**
   * The wait if the server stated none and the contract of its system fixes it, in ms for each attempt made and without
   * a random part. It replaces the two waits above. @default 0: not used
   */
  readonly stepMs: number;
  /** The maximum to which waits grow, in ms. It never shortens a wait that the server stated. @default 20000 */
  readonly maxBackoffMs: number;
  /** The longest single wait, in ms. If the wait is longer, the call returns at once with the wait in the fault. @default 60000 */
  readonly maxWaitMs: number;
  /** The time that an attempt needs, in ms. A wait that leaves less time before the deadline ends the call. @default 100 */
  readonly minAttemptMs: number;
  /** The random part that is added to a stated wait, as a fraction, if the server stated no jitter. @default 0.2 */
  readonly jitter: number;
}

const DEFAULT_POLICY: RetryPolicy = /* @__PURE__ */ Object.freeze({
  attempts: 3,
  baseMs: 200,
  overloadBaseMs: 1_000,
  stepMs: 0,
  maxBackoffMs: 20_000,
  maxWaitMs: 60_000,
  // An attempt that the deadline interrupts leaves its effect unknown, so it is not started without enough time.
  minAttemptMs: 100,
  jitter: 0.2,
});

const POLICY_RANGES: Readonly<Record<keyof RetryPolicy, NumberRange>> = {
  attempts: { min: 1, max: 10, whole: true },
  baseMs: { min: 0 },
  overloadBaseMs: { min: 0 },
  stepMs: { min: 0 },
  maxBackoffMs: { min: 0 },
  maxWaitMs: { min: 0 },
  minAttemptMs: { min: 0 },
  jitter: { min: 0, max: 1 },
};

/** The policy with its defaults filled in. A number out of range throws a `RangeError` with the path of the option. */
export function toRetryPolicy(given: Partial<RetryPolicy> = {}, path = "policy"): RetryPolicy {
  return fillNumbers(given, { path, defaults: DEFAULT_POLICY, ranges: POLICY_RANGES });
}

interface NumberDefaults<T> {
  /** Where the option is, for the error. */
  readonly path: string;
  readonly defaults: Readonly<Record<keyof T, number>>;
  readonly ranges: Readonly<Record<keyof T & string, NumberRange>>;
}

/** The numbers of an option with their defaults filled in. A number out of range throws a `RangeError`. */
export function fillNumbers<T extends object>(
  given: T,
  { path, defaults, ranges }: NumberDefaults<T>,
): Record<keyof T, number> {
  checkNumbers(path, given, ranges as Partial<Record<keyof T & string, NumberRange>>);
  const names = Object.keys(defaults) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, given[name] ?? defaults[name]])) as Record<keyof T, number>;
}

/** Where a wait comes from: the peer stated it, the contract of its system prescribes it, or it is a random back-off. */
export type WaitSource = "peer" | "contract" | "backoff";

interface Wait {
  readonly waitMs: number;
  readonly by: WaitSource;
}

interface WaitFacts {
  readonly fault: Fault;
  /** How many times the call was made so far. */
  readonly attempts: number;
  readonly random: number;
  readonly policy: RetryPolicy;
}

/**
 * The wait before the next attempt, in whole milliseconds. A stated wait is never shortened. A random part is added to
 * it, so that clients with the same wait do not come back together. Without a stated wait the whole wait is random, unless
 * the policy has a `stepMs`.
 */
export function computeWait({ fault, attempts, policy, ...facts }: WaitFacts): Wait {
  const { retry } = fault;
  const { do: move, afterMs: contractMs } = fault.recourse[0];
  const by = retry?.afterMs === undefined ? "contract" : "peer";
  if (by === "contract" && policy.stepMs > 0) return { waitMs: wholeMs(policy.stepMs * attempts), by };
  const random = facts.random > 0 ? Math.min(facts.random, 1) : 0;
  const base = KINDS[knownKind(fault)].retryWhen === "after_wait" ? policy.overloadBaseMs : policy.baseMs;
  // A call that may have had an effect is checked first, and repeated no sooner than one that had none.
  const afterMs = retry?.afterMs ?? (move === "retry" || move === "refresh" ? contractMs : undefined);
  if (afterMs === undefined) {
    const max =
      retry?.backoff === "fixed" ? Math.min(base, policy.maxBackoffMs) : doubled(base, attempts, policy.maxBackoffMs);
    return { waitMs: wholeMs(random * max), by: "backoff" };
  }
  const min =
    retry?.backoff === "exponential" ? doubled(afterMs, attempts, Math.max(policy.maxBackoffMs, afterMs)) : afterMs;
  const jitter = random * (retry?.jitter ?? policy.jitter) * Math.max(min, base);
  return { waitMs: wholeMs(min + jitter), by };
}

function doubled(firstMs: number, attempts: number, maxMs: number): number {
  // 0 × Infinity would not be a number.
  return firstMs === 0 ? 0 : Math.min(firstMs * 2 ** (attempts - 1), maxMs);
}

function wholeMs(ms: number): number {
  return Math.min(Math.ceil(ms), Number.MAX_SAFE_INTEGER);
}

/** Options of the retry budget: a bucket of tokens. Every retry costs one; a call adds a tenth, and a minute adds one. */
export interface BudgetOptions {
  /** How many tokens there are at the start, and at most. @default 3 */
  readonly reserve?: number | undefined;
}

export interface BudgetStatus {
  readonly tokens: number;
}

/** Limits retries to a small part of the traffic, so that they cannot make an outage worse. */
interface RetryBudget {
  callBegan(nowMs: number): void;
  /** Takes a token for a retry. Returns false if the retry may not be made. */
  takeRepetition(nowMs: number): boolean;
  status(nowMs: number): BudgetStatus;
}

const TOKENS_PER_CALL = 0.1;
const TOKEN_MS = 60_000;

/** Creates the budget of one server. A number out of range throws a `RangeError` with the path of the option. */
export function createRetryBudget(options: BudgetOptions = {}, path = "budget"): RetryBudget {
  checkNumbers(path, options, { reserve: { min: 0 } });
  const { reserve = 3 } = options;
  let tokens = reserve;
  let refilledMs: number | undefined;
  function addTokens(amount: number, nowMs: number): void {
    const refill = refilledMs === undefined ? 0 : Math.max(0, nowMs - refilledMs) / TOKEN_MS;
    refilledMs = nowMs;
    tokens = Math.min(reserve, tokens + amount + refill);
  }
  return {
    callBegan: (nowMs) => addTokens(TOKENS_PER_CALL, nowMs),
    takeRepetition(nowMs) {
      addTokens(0, nowMs);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    status(nowMs) {
      addTokens(0, nowMs);
      return { tokens };
    },
  };
}
