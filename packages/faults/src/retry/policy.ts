/** How patient a caller is with one call. */
export interface Policy {
  /** All attempts of a call, the first included; at most ten. */
  readonly attempts: number;
  /** Upper end of the first wait where nobody named one; it doubles with every attempt. */
  readonly baseMs: number;
  /** The same for a server that asked for less traffic without naming a wait. */
  readonly busyMs: number;
  /** Where waits stop growing; it never shortens a wait that the peer named. */
  readonly capMs: number;
  /** The longest single wait, deadline or not; a longer one ends the call and is told instead. */
  readonly patienceMs: number;
  /** What an attempt needs at least: a wait that leaves less before the deadline does not fit. */
  readonly roomMs: number;
  /** Random part of a wait that somebody named, as a fraction, where the peer did not say. */
  readonly jitter: number;
}

const DEFAULTS: Policy = Object.freeze({
  attempts: 3,
  baseMs: 200,
  busyMs: 1_000,
  capMs: 20_000,
  patienceMs: 60_000,
  // An attempt that is cut off by the deadline leaves its effect unknown, so one without a fair chance is not begun.
  roomMs: 100,
  jitter: 0.2,
});

const MOST_ATTEMPTS = 10;

/** The policy with its defaults; a number that makes no sense is replaced by its default. */
export function toPolicy(given: Partial<Policy> = {}): Policy {
  const wait = (key: keyof Policy) => atLeast(0, given[key], DEFAULTS[key]);
  return {
    attempts: Math.min(Math.floor(atLeast(1, given.attempts, DEFAULTS.attempts)), MOST_ATTEMPTS),
    baseMs: wait("baseMs"),
    busyMs: wait("busyMs"),
    capMs: wait("capMs"),
    patienceMs: wait("patienceMs"),
    roomMs: wait("roomMs"),
    jitter: Math.min(wait("jitter"), 1),
  };
}

/** A number that is not below the least, or the one given instead. */
export function atLeast(least: number, value: number | undefined, instead: number): number {
  return value !== undefined && value >= least ? value : instead;
}
