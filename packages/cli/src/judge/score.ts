import type { Severity } from "../checks/check.ts";

/** The part of what is left of the score that a finding takes, in percent. */
export const SHARES = {
  critical: 40,
  high: 12,
  medium: 4,
  low: 1,
  info: 0,
} as const satisfies Record<Severity, number>;

/** No server with a critical finding scores more. */
export const CRITICAL_CAP = 59;

/** The lowest score of each grade, best first. */
export const GRADES = [
  ["A", 90],
  ["B", 75],
  ["C", 60],
  ["D", 40],
  ["F", 0],
] as const satisfies readonly (readonly [string, number])[];

/** Below this part of the checks, in percent, the grade gets a question mark. */
export const MIN_COVERAGE = 60;

/** A finding that costs points, with the findings that follow from it. */
export interface ScoredGroup {
  readonly severity: Severity;
  readonly consequences: readonly Severity[];
}

/** The score of a server. Whole numbers all the way: the order of findings cannot change a rounding. */
export function scoreOf(groups: readonly ScoredGroup[]): number {
  const { part, whole } = groups.map(leftBy).reduce(times, ALL);
  const score = Number((100n * part) / whole);
  const critical = groups.some((group) => group.severity === "critical" || group.consequences.includes("critical"));
  return critical ? Math.min(score, CRITICAL_CAP) : score;
}

/** The share of the score that a finding takes, 0 to 1. */
export function costOf(group: ScoredGroup): number {
  const { part, whole } = leftBy(group);
  return Number((10_000n * (whole - part)) / whole) / 10_000;
}

/** The grade of a score. */
export function gradeOf(score: number, { applied, of }: { readonly applied: number; readonly of: number }): string {
  const letter = GRADES.find(([, least]) => score >= least)?.[0] ?? "F";
  return applied * 100 < of * MIN_COVERAGE ? `${letter}?` : letter;
}

/** An exact fraction of the score. */
interface Left {
  readonly part: bigint;
  readonly whole: bigint;
}

const ALL: Left = { part: 1n, whole: 1n };

/**
 * What a finding leaves of the score. Consequences are not counted beside their cause. They count in its place where they
 * would cost more by themselves: else a server that mends the cause alone would lose points.
 */
function leftBy({ severity, consequences }: ScoredGroup): Left {
  const cause = leftOf(severity);
  const rest = consequences.map(leftOf).reduce(times, ALL);
  return cause.part * rest.whole <= rest.part * cause.whole ? cause : rest;
}

function leftOf(severity: Severity): Left {
  return { part: BigInt(100 - SHARES[severity]), whole: 100n };
}

function times(a: Left, b: Left): Left {
  return { part: a.part * b.part, whole: a.whole * b.whole };
}
