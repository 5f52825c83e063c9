const counts = new Map<string, number>();

/** How many texts were removed since the process started, by the id of the rule. `secret` means a known secret value. */
export function redactionCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(counts);
}

/** Counts one text that was removed. */
export function countRedaction(rule: string): void {
  counts.set(rule, (counts.get(rule) ?? 0) + 1);
}
