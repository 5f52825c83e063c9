// When a failure began: the first minute in which the leading group counts much more than before.
import type { Change } from "../../api/types.ts";
import { isCandidate } from "../changes/change-words.ts";

const ONE_MINUTE_MS = 60_000;
/** So many minutes before say what is usual. */
const USUAL_MINUTES = 60;
/** Fewer in a minute are no beginning. */
const FEWEST = 5;
/** So many times the usual count is a beginning. */
const TIMES_USUAL = 4;
/** A change so long before the beginning is named. */
const CHANGE_MS = 10 * ONE_MINUTE_MS;

/** When a failure began. */
export interface Onset {
  /** The start of its minute, in ms since 1970. */
  readonly at: number;
  /** The place of its minute in the counts. */
  readonly index: number;
  /** The first minute that is known is already as bad: it may have begun before. */
  readonly isFirst: boolean;
}

/** The first minute that counts at least five, and four times the median of the 60 minutes before; undefined: none. */
export function findOnset(counts: readonly number[], since: string): Onset | undefined {
  const index = counts.findIndex((count, at) => {
    const before = counts.slice(Math.max(0, at - USUAL_MINUTES), at);
    return count >= Math.max(FEWEST, TIMES_USUAL * median(before));
  });
  const start = Date.parse(since);
  if (index === -1 || Number.isNaN(start)) return undefined;
  return { at: start + index * ONE_MINUTE_MS, index, isFirst: index === 0 };
}

/** The newest change of people, configuration or processes in the ten minutes before the beginning, or in its minute. */
export function changeBefore(changes: readonly Change[], { at, isFirst }: Onset): Change | undefined {
  if (isFirst) return undefined;
  return changes
    .filter((change) => {
      const changedAt = Date.parse(change.at);
      return isCandidate(change) && changedAt >= at - CHANGE_MS && changedAt < at + ONE_MINUTE_MS;
    })
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .at(0);
}

/** The whole minutes from a change to the beginning; 0: both are in one minute. */
export function minutesAfter(change: Change, { at }: Onset): number {
  return Math.max(0, Math.round((at - Date.parse(change.at)) / ONE_MINUTE_MS));
}

function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? 0;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? 0) + upper) / 2 : upper;
}
