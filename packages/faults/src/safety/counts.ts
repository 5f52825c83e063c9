const counts = new Map<string, number>();

/** Tells how many strings were withheld since the process began, by rule id; `secret` is the exact filter. */
export function withheldCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(counts);
}

/** Counts one withheld string. */
export function countWithheld(rule: string): void {
  counts.set(rule, (counts.get(rule) ?? 0) + 1);
}
