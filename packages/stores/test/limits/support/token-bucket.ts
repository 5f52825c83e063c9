/** Some tokens, spent at one moment. */
export interface Spend {
  /** Time in µs. */
  readonly atUs: number;
  readonly tokens: number;
}

/** The limit that spends are checked against. */
export interface CheckedLimit {
  readonly perSecond: number;
  readonly burst: number;
  /** How exact the times are, in µs. @default 0 */
  readonly clockErrorUs?: number;
}

/**
 * How many tokens were spent beyond what a token bucket gives. None are if, and only if, no window of w seconds has more than
 * burst + rate × w.
 */
export function overAdmissions(spends: readonly Spend[], limit: CheckedLimit): number {
  const { perSecond, burst, clockErrorUs = 0 } = limit;
  // The script keeps nine digits.
  const slack = (perSecond * clockErrorUs) / 1e6 + 1e-3;
  let level = burst;
  let at = Number.NEGATIVE_INFINITY;
  let over = 0;
  for (const { atUs, tokens } of spends.toSorted((a, b) => a.atUs - b.atUs)) {
    level = Math.min(burst, level + ((atUs - at) / 1e6) * perSecond) - tokens;
    at = atUs;
    if (level >= -slack) continue;
    const beyond = Math.ceil(-level - slack);
    over += beyond;
    level += beyond;
  }
  return over;
}

/** How many tokens one exact bucket would have given to these calls, in turn. */
export function idealAdmissions(calls: readonly Spend[], { perSecond, burst }: CheckedLimit): number {
  let level = burst;
  let at = Number.NEGATIVE_INFINITY;
  let given = 0;
  for (const { atUs, tokens } of calls.toSorted((a, b) => a.atUs - b.atUs)) {
    level = Math.min(burst, level + ((atUs - at) / 1e6) * perSecond);
    at = atUs;
    if (level < tokens) continue;
    level -= tokens;
    given += tokens;
  }
  return given;
}
