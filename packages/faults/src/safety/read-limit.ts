// The filters read texts of strangers, who choose how many there are. So there is one limit for all texts of a fault. It is
// counted in characters, and not in time: the same fault reads the same on a busy machine.

/** The most characters that are read for one fault. An honest one has a fifth of them at most. */
export const MAX_READ_CHARACTERS = 16_384;

/** How much may be read. What is left of it is written back. */
export interface ReadLimit {
  /** What is left, in characters. */
  left: number;
}

/** Stands for the rule if a text was not read, since others of its fault had used up what may be read. */
export const TOO_MUCH = "filter.too-much";

let current: ReadLimit | undefined;

/**
 * Runs what filters the texts of one fault. Once they have used up what may be read, the texts that are left are not shown.
 * What runs inside of another such call shares its limit. It must not wait for anything.
 */
export function limitReading<T>(run: () => T, limit: ReadLimit = { left: MAX_READ_CHARACTERS }): T {
  if (current !== undefined) return run();
  current = limit;
  try {
    return run();
  } finally {
    current = undefined;
  }
}

/** Takes characters from what may be read; false once it is used up. */
export function mayRead(characters: number): boolean {
  if (current === undefined) return true;
  current.left -= characters;
  return current.left >= 0;
}
