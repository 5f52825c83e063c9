import { CHECK_SEVERITIES, type CheckSeverity } from "../checks/check.ts";
import type { ReportCoverage } from "../report/report.ts";

/** The part of what is left of the score that a finding takes, in percent. */
export const SHARES = {
  critical: 40,
  high: 12,
  medium: 4,
  low: 1,
  info: 0,
} as const satisfies Record<CheckSeverity, number>;

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

/** The highest score by the part of the applicable checks that were tested, in percent, the most first. */
export const COVERAGE_CAPS = [
  [90, 100],
  [75, 89],
  [50, 74],
  [0, 59],
] as const satisfies readonly (readonly [tested: number, score: number])[];

/** No server with tools scores more if none of them was called. */
export const NO_CALL_CAP = 74;

/** Below this score, what was not tested leaves no letter. */
const UNTESTED_LETTER = 60;

/** What differs between the sets of scored checks, apart from the checks. */
interface SetRules {
  /** Whether what was not tested costs points and caps the score. Else it is free. */
  readonly untestedCounts: boolean;
  /** Whether a consequence must share its evidence with its cause, and be no worse. Else the checks alone decide. */
  readonly sharedEvidence: boolean;
}

/** The rules of each set. */
const SET_RULES = {
  1: { untestedCounts: false, sharedEvidence: false },
  2: { untestedCounts: true, sharedEvidence: true },
} as const satisfies Readonly<Record<number, SetRules>>;

/** The newest set of scored checks. */
export const NEWEST_SET = 2;

/** The rules of a set. */
export function rulesOfSet(set: number): SetRules {
  return set === 1 ? SET_RULES[1] : SET_RULES[NEWEST_SET];
}

/** A finding that costs points, with the findings that follow from it. */
export interface ScoredGroup {
  readonly severity: CheckSeverity;
  readonly consequences: readonly CheckSeverity[];
}

/** The score of a server. Whole numbers all the way: the order of findings cannot change a rounding. */
export function computeScore(groups: readonly ScoredGroup[]): number {
  const { part, whole } = groups.map(groupFraction).reduce(times, ALL);
  const score = Number((100n * part) / whole);
  const critical = groups.some((group) => group.severity === "critical" || group.consequences.includes("critical"));
  return critical ? Math.min(score, CRITICAL_CAP) : score;
}

/** The share of the score that a finding takes, 0 to 1. */
export function findingCost(group: ScoredGroup): number {
  const { part, whole } = groupFraction(group);
  return Number((10_000n * (whole - part)) / whole) / 10_000;
}

/** What a server with this coverage scores at most. */
export function coverageCap({ applied, notTested }: Pick<ReportCoverage, "applied" | "notTested">): number {
  const applicable = applied + notTested;
  // If nothing was seen, nothing is known.
  const reached = COVERAGE_CAPS.find(([tested]) => applied > 0 && applied * 100 >= applicable * tested);
  return reached?.[1] ?? Math.min(...COVERAGE_CAPS.map(([, score]) => score));
}

/** What a grade is made of. */
interface GradedScore {
  readonly score: number;
  readonly atMost: number;
  /** Checks that were run, of those that could have been. */
  readonly run: number;
  readonly of: number;
}

/**
 * The grade of a score, with a question mark if it is not sure. A question mark alone says that what was not tested decides:
 * a bad letter for a server that nobody tested would be unjust.
 */
export function computeGrade({ score, atMost, run, of }: GradedScore): string {
  const letter = gradeLetter(score);
  const isSure = letter === gradeLetter(atMost);
  if (!isSure && score < UNTESTED_LETTER) return "?";
  return isSure && run * 100 >= of * MIN_COVERAGE ? letter : `${letter}?`;
}

/** The letter of a score. */
export function gradeLetter(score: number): string {
  return GRADES.find(([, least]) => score >= least)?.[0] ?? "F";
}

/** An exact fraction of the score. */
interface ScoreFraction {
  readonly part: bigint;
  readonly whole: bigint;
}

const ALL: ScoreFraction = { part: 1n, whole: 1n };

/**
 * What a finding leaves of the score. Consequences are not counted beside their cause. They count in its place if they
 * would cost more by themselves: otherwise a server that fixes only the cause would lose points.
 */
function groupFraction({ severity, consequences }: ScoredGroup): ScoreFraction {
  const cause = severityFraction(severity);
  const rest = consequences.map(severityFraction).reduce(times, ALL);
  return cause.part * rest.whole <= rest.part * cause.whole ? cause : rest;
}

function severityFraction(severity: CheckSeverity): ScoreFraction {
  return { part: BigInt(100 - SHARES[severity]), whole: 100n };
}

function times(a: ScoreFraction, b: ScoreFraction): ScoreFraction {
  return { part: a.part * b.part, whole: a.whole * b.whole };
}

/** A finding that costs points unless it follows from another one. */
interface ScoredFinding {
  readonly id: string;
  readonly severity: CheckSeverity;
}

/** What decides which finding is the cause of which. */
interface CauseRules {
  /** The findings that may be causes. */
  readonly findings: readonly ScoredFinding[];
  /** Which findings may be the cause of which, by id. */
  readonly follows: Follows;
  /** Whether the evidence of the first finding shows all of the second one. */
  readonly covers: (cause: string, consequence: string) => boolean;
}

type Follows = ReadonlyMap<string, readonly string[]>;

/**
 * The cause of each finding that has one. A cause is never a consequence itself: what follows from a consequence follows from
 * its cause. If there are several, the worst one is it, then the one that the check names first.
 */
export function findCauses({ findings, follows, covers }: CauseRules): ReadonlyMap<string, string> {
  const found = new Map(findings.map((finding) => [finding.id, finding]));
  const candidates = (id: string) =>
    findAncestors(id, follows).flatMap((one) => (covers(one, id) ? (found.get(one) ?? []) : []));
  const roots = new Set(findings.filter(({ id }) => candidates(id).length === 0).map(({ id }) => id));
  return new Map(
    [...follows.keys()].flatMap((id) => {
      const [cause] = candidates(id)
        .filter((one) => roots.has(one.id))
        .toSorted((a, b) => CHECK_SEVERITIES.indexOf(a.severity) - CHECK_SEVERITIES.indexOf(b.severity));
      return cause === undefined ? [] : [[id, cause.id] as const];
    }),
  );
}

/** What a check follows, and what that follows in turn, the nearest first. */
function findAncestors(id: string, follows: Follows): readonly string[] {
  const seen = new Set<string>();
  let next = follows.get(id) ?? [];
  while (next.length > 0) {
    const fresh = next.filter((one) => one !== id && !seen.has(one));
    for (const one of fresh) seen.add(one);
    next = fresh.flatMap((one) => follows.get(one) ?? []);
  }
  return [...seen];
}
