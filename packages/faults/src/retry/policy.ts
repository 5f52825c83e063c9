/** How often and how long one call is retried. */
export interface RetryPolicy {
  /** The maximum number of attempts, the first one included. At most 10. @default 3 */
  readonly attempts: number;
  /** The longest first wait if the server stated none, in ms. It doubles with every attempt. @default 200 */
  readonly baseMs: number;
  /** The same for a server that is overloaded or limits the rate of calls. @default 1000 */
  readonly overloadBaseMs: number;
  /**
   * The wait if the server stated none, in ms for each attempt made and without a random part, where the contract of its
   * system fixes it. It replaces the two waits above. @default 0: not used
   */
  readonly stepMs: number;
  /** The maximum to which waits grow, in ms. It never shortens a wait that the server stated. @default 20000 */
  readonly capMs: number;
  /** The longest single wait, in ms. If the wait is longer, the call returns at once with the wait in the fault. @default 60000 */
  readonly maxWaitMs: number;
  /** The time that an attempt needs, in ms. A wait that leaves less time before the deadline ends the call. @default 100 */
  readonly minAttemptMs: number;
  /** The random part that is added to a stated wait, as a fraction, if the server stated no jitter. @default 0.2 */
  readonly jitter: number;
}

const DEFAULT_POLICY: RetryPolicy = Object.freeze({
  attempts: 3,
  baseMs: 200,
  overloadBaseMs: 1_000,
  stepMs: 0,
  capMs: 20_000,
  maxWaitMs: 60_000,
  // An attempt that the deadline interrupts leaves its effect unknown, so it is not started without enough time.
  minAttemptMs: 100,
  jitter: 0.2,
});

const ATTEMPT_LIMIT = 10;

const KEYS = Object.keys(DEFAULT_POLICY) as (keyof RetryPolicy)[];

/** The policy with its defaults filled in. A number out of range is replaced by its default. */
export function toPolicy(given: Partial<RetryPolicy> = {}): RetryPolicy {
  const entries = KEYS.map((key) => [key, atLeast(key === "attempts" ? 1 : 0, given[key], DEFAULT_POLICY[key])]);
  const policy: RetryPolicy = Object.fromEntries(entries);
  const attempts = Math.min(Math.floor(policy.attempts), ATTEMPT_LIMIT);
  return { ...policy, attempts, jitter: Math.min(policy.jitter, 1) };
}

/** The value if it is not below the minimum, or else the default. */
export function atLeast(min: number, value: number | undefined, fallback: number): number {
  return value !== undefined && value >= min ? value : fallback;
}
