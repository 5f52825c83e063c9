import { race, sleep } from "@recourse/faults/internal-do-not-use";

/** After this time the next piece of work begins although the last one goes on. */
const PATIENCE_MS = 700;

/**
 * Runs pieces of work one after the other, but does not wait for a slow one before the next begins. A crash can still be
 * told to belong to one of them, for most servers answer at once, and slow ones share their waits.
 */
export async function overlapping(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  const all: Promise<unknown>[] = [];
  for (const start of work) {
    const piece = start();
    all.push(piece);
    await race(piece, { ms: PATIENCE_MS, sleep });
  }
  await Promise.all(all);
}
