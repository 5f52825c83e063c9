import { toPointer } from "../wire/json.ts";
import type { Issue } from "./fault.ts";

/** How many edits still count as a typing mistake: one in a short name, more in a long one. */
const maxEdits = (length: number): number => (length <= 4 ? 1 : length <= 8 ? 2 : 3);

/** The known names that are most similar to an unknown one, the best first. Empty if none is similar. */
export function nearestNames(name: string, known: Iterable<string>, max = 3): string[] {
  const asked = normalizeName(name).slice(0, 64);
  const found: { name: string; distance: number }[] = [];
  for (const candidate of known) {
    const normalized = normalizeName(candidate).slice(0, 64);
    const distance = editDistance(asked, normalized, maxEdits(Math.max(asked.length, normalized.length)));
    if (distance !== undefined) found.push({ name: candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return found.slice(0, max).map((one) => one.name);
}

/** Case and separators are the most common mistakes, so they are ignored. */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]/g, "");
}

/**
 * The number of edits between two words, undefined if it is more than `max`. Swapping two neighbours counts as one edit
 * (optimal string alignment). There may be thousands of names, so only what can lead to few edits is looked at.
 */
function editDistance(one: string, other: string, max: number): number | undefined {
  if (Math.abs(one.length - other.length) > max) return undefined;
  const [a, b] = withoutCommonEnds(one, other);
  let before: number[] = [];
  let above = Array.from({ length: Math.min(b.length, max) + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    if (i <= max) row[0] = i;
    let least = i <= max ? i : Number.POSITIVE_INFINITY;
    for (let j = Math.max(1, i - max); j <= Math.min(b.length, i + max); j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(cellAt(above, j) + 1, cellAt(row, j - 1) + 1, cellAt(above, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, cellAt(before, j - 2) + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    // A swap continues from the row before the last.
    if (least > max && above.every((cost) => cost >= max)) return undefined;
    before = above;
    above = row;
  }
  const distance = cellAt(above, b.length);
  return distance <= max ? distance : undefined;
}

/** Two words without the letters that both begin and end with. */
function withoutCommonEnds(one: string, other: string): readonly [string, string] {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start++;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return [one.slice(start, one.length - end), other.slice(start, other.length - end)];
}

function cellAt(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

/**
 * The issue for an argument that the tool does not have. The caller chose the key, so the key is never shown: the issue
 * points to its parent and suggests the most similar key that exists.
 */
export function unknownKeyIssue(parent: readonly (string | number)[], key: string, known: Iterable<string>): Issue {
  const [suggestion] = nearestNames(key, known, 1);
  const issue = { pointer: toPointer(parent), rule: "unknown" } as const;
  return suggestion === undefined ? issue : { ...issue, suggestion };
}
