export interface CountedKeys {
  /** How long ago that part began, in ms. */
  readonly ageMs: number;
  readonly keys: number;
}

/** Adds keys to those of a caller, and gives all that it has used in the window, by part. Less than 0: keys were given back. */
export type CountKeys = (owner: string, keys: number) => Promise<readonly CountedKeys[]>;

/** Options of `callerShare`. */
export interface CallerShareOptions {
  /** The most new keys of one caller in `windowMs`. */
  readonly max: number;
  readonly windowMs: number;
  /** Counts for all processes. @default each process counts for itself */
  readonly count?: CountKeys | undefined;
  /** Clock, in ms, that never goes back. */
  readonly now: () => number;
}

/** What each caller may still claim. */
export interface CallerShare {
  /** Takes one key of a caller. Gives how long the caller has to wait, in ms; 0 if a key was taken. */
  take(owner: string): number | Promise<number>;
  /** Gives a key back that was not claimed, or freed. */
  giveBack(owner: string): void;
}

/** A window has this many parts. A key counts until the part that it was counted in has left the window. */
const PARTS = 10;
/** This part of `max` is used before it is counted, so that counting costs little, and callers with few keys nothing. */
const UNCOUNTED = 0.01;
/** How many takes there are between two looks for callers who have used no key for a window. */
const TAKES_PER_LOOK = 10_000;

export function windowPartMs(windowMs: number): number {
  return windowMs / PARTS;
}

interface Known {
  /** What was counted, the oldest first, and when this process learnt of it. */
  counted: readonly CountedKeys[];
  countedAt: number;
  /** Used here since then. */
  uncounted: number;
  usedAt: number;
  counting: Promise<void> | undefined;
}

/**
 * Limits how many new keys one caller uses, so that one caller cannot fill the store: `max` in any time as long as the window.
 * A process counts in turns of a hundredth of `max`, so processes that share a count can exceed it by a hundredth each.
 */
export function callerShare({ max, windowMs, count, now }: CallerShareOptions): CallerShare {
  if (max === Number.POSITIVE_INFINITY) return { take: () => 0, giveBack: () => {} };
  const callers = new Map<string, Known>();
  const turn = Math.max(1, Math.floor(max * UNCOUNTED));
  const partMs = windowPartMs(windowMs);
  let takes = 0;

  /** What was counted and still counts, as old as it is now, the oldest first. */
  const live = ({ counted, countedAt }: Known): CountedKeys[] => {
    const passed = now() - countedAt;
    const aged = counted.map(({ ageMs, keys }) => ({ ageMs: ageMs + passed, keys }));
    return aged.filter(({ ageMs }) => ageMs < windowMs + partMs).sort((one, other) => other.ageMs - one.ageMs);
  };

  /** How long until another key may be used: until enough parts have left the window. */
  const waitOf = (known: Known): number => {
    const parts = live(known);
    let used = parts.reduce((sum, { keys }) => sum + keys, known.uncounted);
    if (used < max) return 0;
    for (const { ageMs, keys } of parts) {
      used -= keys;
      if (used < max) return Math.ceil(windowMs + partMs - ageMs);
    }
    return Math.ceil(windowMs);
  };

  const countHere = (known: Known): void => {
    const parts = live(known);
    const last = parts.at(-1);
    const isOpen = last !== undefined && last.ageMs < partMs;
    const part = { ageMs: isOpen ? last.ageMs : 0, keys: Math.max(0, (isOpen ? last.keys : 0) + known.uncounted) };
    known.counted = [...(isOpen ? parts.slice(0, -1) : parts), part];
    known.countedAt = now();
    known.uncounted = 0;
  };

  const countForAll = async (owner: string, known: Known, counter: CountKeys): Promise<void> => {
    const { uncounted } = known;
    try {
      known.counted = await counter(owner, uncounted);
      known.countedAt = now();
      known.uncounted -= uncounted;
    } finally {
      known.counting = undefined;
    }
  };

  const take = (owner: string): number | Promise<number> => {
    const known = callers.get(owner) ?? {
      ...{ counted: [], countedAt: now(), uncounted: 0, usedAt: now(), counting: undefined },
    };
    callers.set(owner, known);
    // Whatever was not counted was used a window ago.
    if (now() - known.usedAt >= windowMs) known.uncounted = 0;
    if (Math.abs(known.uncounted) >= turn) {
      if (count !== undefined) {
        known.counting ??= countForAll(owner, known, count);
        return known.counting.then(() => take(owner));
      }
      countHere(known);
    }
    const waitMs = waitOf(known);
    if (waitMs === 0) {
      known.uncounted += 1;
      known.usedAt = now();
    }
    return waitMs;
  };

  const forgetIdle = () => {
    const before = now() - windowMs - partMs;
    for (const [owner, { usedAt, counting }] of callers)
      if (usedAt <= before && counting === undefined) callers.delete(owner);
  };

  return {
    take(owner) {
      takes += 1;
      if (takes % TAKES_PER_LOOK === 0) forgetIdle();
      return take(owner);
    },
    giveBack(owner) {
      const known = callers.get(owner);
      if (known !== undefined) known.uncounted -= 1;
    },
  };
}
