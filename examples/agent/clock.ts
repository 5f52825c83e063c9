/** Time that passes only when somebody waits, so that a story of a minute is told at once. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** A clock that starts at zero. */
export function virtualClock(): Clock {
  let nowMs = 0;
  return {
    now: () => nowMs,
    async sleep(ms) {
      nowMs += ms;
    },
  };
}
