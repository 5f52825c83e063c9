import { type Exchange, seenOf } from "./exchange.ts";
import type { CallRef, Seen } from "./watched.ts";

/** One attempt of one call, and the exchanges that the SDK made for it. */
export interface Attempt {
  exchanges: number;
  last?: Exchange;
  /** Set once the last exchange is over for the SDK; tells whether it went without an answer. */
  isLost?: () => boolean;
  /** The event that the SDK resumes the answer's stream from. */
  resumesFrom?: string;
  failedResumes: number;
  readonly listeners: Set<() => void>;
}

/** The attempts that nobody has taken yet. */
export interface Attempts {
  /** The attempt of a call, begun if it is new. */
  of(call: CallRef): Attempt;
  /** The attempt whose stream a client resumes after an event. */
  resumedFrom(eventId: string): Attempt | undefined;
  take(call: CallRef): Seen | undefined;
}

/** Keeps the attempts of the newest calls; beyond `most` the oldest is forgotten. */
export function createAttempts(most: number): Attempts {
  const kept = new Map<string, Attempt>();
  return {
    of(call) {
      const key = keyOf(call);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const attempt: Attempt = { exchanges: 0, failedResumes: 0, listeners: new Set() };
      kept.set(key, attempt);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return attempt;
    },
    resumedFrom: (eventId) => [...kept.values()].find(({ resumesFrom }) => resumesFrom === eventId),
    take(call) {
      const key = keyOf(call);
      const attempt = kept.get(key);
      kept.delete(key);
      const seen = attempt && seenOfAttempt(attempt);
      // What is still under way has nobody left to tell.
      delete attempt?.last;
      delete attempt?.isLost;
      return seen;
    },
  };
}

/** Notes that the SDK begins an exchange for an attempt: what an earlier one came to no longer counts. */
export function addExchange(attempt: Attempt, exchange: Exchange): void {
  attempt.exchanges += 1;
  attempt.last = exchange;
  attempt.failedResumes = 0;
  delete attempt.isLost;
  delete attempt.resumesFrom;
}

/** Notes that an exchange is over for the SDK, unless another one has taken its place. */
export function endExchange(attempt: Attempt, exchange: Exchange | undefined, isLost: () => boolean): void {
  if (exchange === undefined || attempt.last !== exchange) return;
  attempt.isLost = isLost;
  delete attempt.resumesFrom;
  for (const tell of attempt.listeners) tell();
}

/** What was seen of an attempt; undefined before its first exchange. */
export function seenOfAttempt({ last, exchanges }: Attempt): Seen | undefined {
  return last && seenOf(last, exchanges);
}

function keyOf({ id, attempt }: CallRef): string {
  return `${attempt} ${id}`;
}
