import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from "jose";
import type { Clock } from "./clock.ts";

/** Options of `createJwks`. */
export interface JwksOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly onSwitch: (state: "away" | "back", cause?: unknown) => void;
}

/** The keys could not be read, so nothing can be said about a token. */
export class JwksAway extends Error {
  override readonly name = "JwksAway";
}

/** Keys this old are read again, while the old ones go on. */
const REFRESH_MS = 10 * 60_000;
/** Keys that could not be read again for this long are no longer trusted. */
const MAX_AGE_MS = 24 * 60 * 60_000;
/** Tokens that name unknown keys make the keys be read again at most this often. */
const COOLDOWN_MS = 30_000;
/** After a failure, the endpoint is left alone for this long. */
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 5_000;

/** The keys of an issuer. They are read when they are needed first, when they are old, and when a token names an unknown one. */
export function createJwks({ url, clock, onSwitch }: JwksOptions): JWTVerifyGetKey {
  // When to read is decided here, since jose stops trusting old keys as soon as the endpoint is away.
  const remote = createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let readMs = Number.NEGATIVE_INFINITY;
  let failedMs = Number.NEGATIVE_INFINITY;
  let isAway = false;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const beganMs = clock.elapsed();
    try {
      await remote.reload();
      readMs = beganMs;
      if (isAway) onSwitch("back");
      isAway = false;
    } catch (cause) {
      failedMs = clock.elapsed();
      if (!isAway) onSwitch("away", cause);
      isAway = true;
      throw new JwksAway("the keys of the issuer could not be read", { cause });
    }
  };
  const readOnce = (): Promise<void> => {
    if (reading !== undefined) return reading;
    if (clock.elapsed() - failedMs < PAUSE_MS)
      return Promise.reject(new JwksAway("the keys could not be read just now"));
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return async (header, token) => {
    const age = clock.elapsed() - readMs;
    if (age >= MAX_AGE_MS) await readOnce();
    else if (age >= REFRESH_MS) readOnce().catch(() => {});
    try {
      return await remote(header, token);
    } catch (error) {
      const isKnownSet = !(error instanceof errors.JWKSNoMatchingKey) || clock.elapsed() - readMs < COOLDOWN_MS;
      if (isKnownSet) throw error;
      await readOnce();
      return remote(header, token);
    }
  };
}
