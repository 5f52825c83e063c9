import { CHECK_SEVERITIES, type CheckSeverity } from "../checks/check.ts";
import type { RecordedTarget } from "../recording/recording.ts";
import { type CheckReport, type FixStep, fixCalls } from "../report/report.ts";

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

/** The grade of a score. */
export function computeGrade(
  score: number,
  { applied, of }: { readonly applied: number; readonly of: number },
): string {
  const letter = GRADES.find(([, least]) => score >= least)?.[0] ?? "F";
  return applied * 100 < of * MIN_COVERAGE ? `${letter}?` : letter;
}

/** An exact fraction of the score. */
interface ScoreFraction {
  readonly part: bigint;
  readonly whole: bigint;
}

const ALL: ScoreFraction = { part: 1n, whole: 1n };

/**
 * What a finding leaves of the score. Consequences are not counted beside their cause. They count in its place where they
 * would cost more by themselves: else a server that mends the cause alone would lose points.
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

/** Which findings may be the cause of which, by id. */
type Follows = ReadonlyMap<string, readonly string[]>;

/**
 * The cause of each finding that has one. A cause is never a consequence itself: what follows from a consequence follows from
 * its cause. If there are several, the worst one is it, then the one that the check names first.
 */
export function findCauses(findings: readonly ScoredFinding[], follows: Follows): ReadonlyMap<string, string> {
  const found = new Map(findings.map((finding) => [finding.id, finding]));
  const candidates = (id: string) => findAncestors(id, follows).flatMap((one) => found.get(one) ?? []);
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

/** What is judged, and where. */
interface FixContext {
  readonly reports: readonly CheckReport[];
  /** The scored findings by the id of their check. */
  readonly groups: ReadonlyMap<string, ScoredGroup>;
  readonly transport: RecordedTarget["transport"];
}

/** What to do, the most points first. Findings that the same call mends are one step. */
export function planFixes(judged: FixContext): FixStep[] {
  const { reports, groups, transport } = judged;
  const scored = reports.filter(({ id, severity }) => groups.has(id) && severity !== "info");
  const steps = Map.groupBy(scored, ({ fix }) => fix && (fixCalls(fix, transport) ?? fix.code ?? fix.text));
  return [...steps.values()]
    .toSorted((a, b) => worstSeverity(a) - worstSeverity(b))
    .flatMap((mended) => planStep(mended, judged) ?? [])
    .toSorted((a, b) => b.points - a.points);
}

function planStep(mended: readonly CheckReport[], { reports, groups, transport }: FixContext): FixStep | undefined {
  const fixes = mended.flatMap(({ fix }) => fix ?? []);
  // The shortest code is the one that says nothing about other transports.
  const [fix] = fixes.toSorted((a, b) => (a.code?.length ?? 0) - (b.code?.length ?? 0));
  if (fix === undefined) return undefined;
  const calls = fixCalls(fix, transport);
  const same = fixes.every(({ text }) => text === fix.text);
  const ids = mended.map(({ id }) => id);
  const consequences = reports.filter(({ causedBy }) => causedBy !== undefined && ids.includes(causedBy));
  const left = [...groups].filter(([id]) => !ids.includes(id)).map(([, group]) => group);
  return {
    text: same || calls === undefined ? fix.text : `Use \`${calls}\`: it mends ${mended.length} findings.`,
    ...(fix.code !== undefined && { code: fix.code }),
    cures: [...ids, ...consequences.map(({ id }) => id)],
    points: computeScore(left) - computeScore([...groups.values()]),
  };
}

function worstSeverity(reports: readonly CheckReport[]): number {
  return Math.min(...reports.map(({ severity }) => CHECK_SEVERITIES.indexOf(severity)));
}
