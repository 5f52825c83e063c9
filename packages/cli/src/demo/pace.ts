import { setTimeout as sleep } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

/** How long a line is shown before the next one. */
const MS_PER_WORD = 80;
const MS_PER_LINE = 120;

/** Waits as long as it takes to read some lines, or until the signal is aborted. */
export async function readingPause(lines: readonly string[], signal: AbortSignal): Promise<void> {
  await sleep(readingMs(lines), undefined, { signal }).catch(() => undefined);
}

/** How long it takes to read some lines. */
export function readingMs(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + MS_PER_LINE + wordsIn(line) * MS_PER_WORD, 0);
}

function wordsIn(line: string): number {
  return stripVTControlCharacters(line).match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
}
