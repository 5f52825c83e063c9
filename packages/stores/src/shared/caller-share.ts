/** Options of `callerShare`. */
export interface CallerShareOptions {
  /** The most new keys of one caller in `ttlMs`. */
  readonly max: number;
  /** How long a key is kept. */
  readonly ttlMs: number;
  /** Clock, in ms, that never goes back. */
  readonly now: () => number;
}

/** What each caller may still claim. */
export interface CallerShare {
  /** Takes one key of a caller. Returns how long the caller has to wait, in ms; 0 where a key was taken. */
  take(owner: string): number;
  /** Gives a key back that was not claimed, or freed. */
  giveBack(owner: string): void;
}

/** How many takes there are between two looks for callers who have their whole share again. */
const TAKES_PER_LOOK = 10_000;

/**
 * Limits how many keys one caller has in the store, so that one caller cannot fill it: `max` at once, and a new one for each
 * that is forgotten. It counts in this process, so it costs the engine nothing, and each process has a share of its own.
 */
export function callerShare({ max, ttlMs, now }: CallerShareOptions): CallerShare {
  const used = new Map<string, { keys: number; at: number }>();
  let takes = 0;
  const usedBy = (owner: string) => {
    const entry = used.get(owner) ?? { keys: 0, at: now() };
    const time = now();
    entry.keys = Math.max(0, entry.keys - ((time - entry.at) * max) / ttlMs);
    entry.at = time;
    return entry;
  };
  const forgetIdle = () => {
    for (const owner of used.keys()) if (usedBy(owner).keys === 0) used.delete(owner);
  };
  return {
    take(owner) {
      if (max === Number.POSITIVE_INFINITY) return 0;
      takes += 1;
      if (takes % TAKES_PER_LOOK === 0) forgetIdle();
      const entry = usedBy(owner);
      if (entry.keys + 1 > max) return Math.max(1, Math.ceil(((entry.keys + 1 - max) * ttlMs) / max));
      entry.keys += 1;
      used.set(owner, entry);
      return 0;
    },
    giveBack(owner) {
      const entry = used.get(owner);
      if (entry !== undefined) entry.keys = Math.max(0, entry.keys - 1);
    },
  };
}
