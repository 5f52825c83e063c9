import { booleanAt, objectAt, stringAt } from "@recourse/core/wire";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import { CHECK_SEVERITIES, type CheckSeverity, checkPage, type ProbeCheck } from "../checks/check.ts";
import { type ChosenFix, chooseFix } from "../fixes/choose-fix.ts";
import type { EraRevision, RecordedExchange, Recording } from "../recording/recording.ts";
import type { CheckReport, CheckState, Report, ReportCoverage, ReportTarget, UntestedPart } from "../report/report.ts";
import type { Baseline } from "./baseline.ts";
import { planFixes } from "./plan-fixes.ts";
import { checkSeverity, runCheck, type Verdict } from "./run-check.ts";
import {
  computeGrade,
  computeScore,
  coverageCap,
  findCauses,
  findingCost,
  NEWEST_SET,
  NO_CALL_CAP,
  rulesOfSet,
  type ScoredGroup,
  SHARES,
} from "./score.ts";
import { calledNoTool, findUntested, type UntestedCheck } from "./untested.ts";

/** Options of `judge`. */
export interface JudgeOptions {
  /** Judge by these checks alone. The others count as left out. @default all */
  readonly only?: readonly string[] | undefined;
  /** Leave these checks out. @default none */
  readonly skip?: readonly string[] | undefined;
  /** The set of scored checks. @default the newest */
  readonly set?: number | undefined;
  /** Findings that you know about. @default none */
  readonly baseline?: Baseline | undefined;
  /** Whether the report carries every exchange, and not only the evidence. @default false */
  readonly allExchanges?: boolean | undefined;
  /** The checks. @default the catalogue */
  readonly checks?: readonly ProbeCheck[] | undefined;
  /** The fix of a check on this server. @default by the kind of the server */
  readonly fixFor?: typeof chooseFix | undefined;
}

/** Judges a recording by every check. Nothing but the recording and the options decides the verdict. */
export function judgeRecording(recording: Recording, options: JudgeOptions = {}): Report {
  const { checks = PROBE_CHECKS, set = NEWEST_SET, baseline } = options;
  const judged = checks.map((check) => judgeOne(check, recording, options));
  const scoring: Scoring = { recording, set, exchanges: exchangesById(recording), coverage: countCoverage(judged) };
  const { score, atMost, causes, groups } = scoreChecks(judged, scoring);
  const reports = judged.map((one) => reportCheck(one, causes.get(one.id), groups.get(one.id)));
  const { applied, leftOut, notTested, of } = scoring.coverage;
  const evidence = new Map(judged.map(({ id, verdict }) => [id, verdict.state === "fail" ? verdict.evidence : []]));
  const fixes = planFixes({
    reports,
    scored: new Set(groups.keys()),
    transport: recording.target.transport,
    evidence: (id) => (evidence.get(id) ?? []).flatMap((one) => scoring.exchanges.get(one) ?? []),
    scoreWithout: (ids) =>
      scoreChecks(
        judged.map((one) => (ids.includes(one.id) ? fixedCheck(one) : one)),
        scoring,
      ).score,
  });
  return {
    tool: "recourse",
    version: recording.version,
    set,
    target: reportTarget(recording),
    score,
    atMost,
    grade: computeGrade({
      score,
      atMost,
      run: applied,
      of: rulesOfSet(set).untestedCounts ? applied + notTested + leftOut : of,
    }),
    coverage: scoring.coverage,
    untested: untestedParts(judged),
    counts: countFindings(reports),
    checks: reports,
    fixes,
    stale: staleIn(baseline, judged),
    ...calledIn(recording),
    exchanges: exchangesIn(recording, options.allExchanges === true ? undefined : reports),
    interrupted: recording.interrupted === true,
    startedAt: recording.startedAt,
    durationMs: recording.durationMs,
  };
}

/** What the score depends on beside the verdicts. */
interface Scoring {
  readonly recording: Recording;
  readonly set: number;
  readonly exchanges: ReadonlyMap<string, EraExchange>;
  readonly coverage: ReportCoverage;
}

/** The scores of a server, and the findings that they come from. */
interface ScoredChecks {
  readonly score: number;
  readonly atMost: number;
  readonly causes: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, ScoredGroup>;
}

function scoreChecks(judged: readonly JudgedCheck[], scoring: Scoring): ScoredChecks {
  const { recording, set, coverage } = scoring;
  const { untestedCounts } = rulesOfSet(set);
  const causes = causesIn(judged, scoring);
  const groups = scoredGroups(judged, causes);
  const atMost = computeScore([...groups.values()]);
  if (!untestedCounts) return { score: atMost, atMost, causes, groups };
  const unsure = judged.filter(isCostlyUntested);
  // With annotations the same server may have failed all of these, each for itself. Whatever it had then, it has no more now.
  const worst = judged.filter((one) => isScored(one) || unsure.includes(one));
  const sure =
    unsure.length === 0 ? atMost : computeScore(worst.map(({ severity }) => ({ severity, consequences: [] })));
  const cap = Math.min(coverageCap(coverage), calledNoTool(recording) ? NO_CALL_CAP : 100);
  return { score: Math.min(sure, cap), atMost, causes, groups };
}

function isCostlyUntested({ untested, preview, forced }: JudgedCheck): boolean {
  return untested?.costs === true && !preview && forced === undefined;
}

function causesIn(judged: readonly JudgedCheck[], { exchanges, set }: Scoring): ReadonlyMap<string, string> {
  const byId = new Map(judged.map((one) => [one.id, one]));
  const follows = new Map(judged.map(({ id, check }) => [id, check.follows ?? []]));
  const findings = judged.filter(isScored);
  if (!rulesOfSet(set).sharedEvidence) return findCauses({ findings, follows, covers: () => true });
  const marks = new Map(judged.map((one) => [one.id, evidenceMarks(one, exchanges)]));
  return findCauses({
    findings,
    follows,
    covers: (cause, consequence) => {
      const [a, b] = [byId.get(cause), byId.get(consequence)];
      if (a === undefined || b === undefined || severityRank(a) > severityRank(b)) return false;
      const shown = new Set(marks.get(cause)?.flat());
      return marks.get(consequence)?.every((either) => either.some((mark) => shown.has(mark))) === true;
    },
  });
}

/** For each exchange that a finding names: its id, and its tool with what was sent to it. */
function evidenceMarks({ verdict }: JudgedCheck, exchanges: Scoring["exchanges"]): readonly (readonly string[])[] {
  if (verdict.state !== "fail") return [];
  return verdict.evidence.map((id) => {
    const one = exchanges.get(id);
    return one?.tool === undefined ? [id] : [id, JSON.stringify([one.revision, one.stimulus, one.tool])];
  });
}

/** An exchange with its era. */
interface EraExchange extends RecordedExchange {
  readonly revision: EraRevision;
}

function exchangesById({ eras }: Recording): ReadonlyMap<string, EraExchange> {
  return new Map(eras.flatMap(({ revision, exchanges }) => exchanges.map((one) => [one.id, { ...one, revision }])));
}

/** The same check after its finding was fixed. What was not tested stays so. */
function fixedCheck(one: JudgedCheck): JudgedCheck {
  return { ...one, verdict: { state: "pass" } };
}

function severityRank({ severity }: JudgedCheck): number {
  return CHECK_SEVERITIES.indexOf(severity);
}

function countCoverage(judged: readonly JudgedCheck[]): ReportCoverage {
  const count = (is: (one: JudgedCheck) => boolean) => judged.filter(is).length;
  const leftOut = count((one) => one.isLeftOut);
  const notTested = count(isUntested);
  const applied = count((one) => one.verdict.state !== "skipped" && !isUntested(one));
  return {
    applied,
    notTested,
    notApplicable: judged.length - applied - notTested - leftOut,
    leftOut,
    of: judged.length,
  };
}

/** Whether a check was not run, or not on everything, although there is something. A finding stays a finding. */
function isUntested({ untested, verdict }: JudgedCheck): boolean {
  return untested !== undefined && verdict.state !== "fail";
}

function untestedParts(judged: readonly JudgedCheck[]): UntestedPart[] {
  const parts = Map.groupBy(judged.filter(isUntested), ({ untested }) => JSON.stringify(untested));
  return [...parts.values()]
    .flatMap((group) => {
      const [first] = group;
      if (first?.untested === undefined) return [];
      const { costs: _, ...part } = first.untested;
      return [{ ...part, checks: group.map(({ id }) => id) }];
    })
    .toSorted((a, b) => UNTESTED_KINDS.indexOf(a.kind) - UNTESTED_KINDS.indexOf(b.kind));
}

const UNTESTED_KINDS: readonly UntestedPart["kind"][] = ["annotations", "left-out"];

/** A check with its verdict, before causes are looked for. */
interface JudgedCheck {
  readonly id: string;
  readonly check: ProbeCheck;
  readonly severity: CheckSeverity;
  readonly chosen: ChosenFix;
  readonly verdict: Verdict;
  /** What it could not look at. */
  readonly untested: UntestedCheck | undefined;
  readonly isLeftOut: boolean;
  readonly preview: boolean;
  /** Why the baseline lists it. */
  readonly known: string | undefined;
  readonly forced: string | undefined;
}

function judgeOne(check: ProbeCheck, recording: Recording, options: JudgeOptions): JudgedCheck {
  const { id } = check;
  const { only, skip = [], set = NEWEST_SET, baseline, fixFor = chooseFix } = options;
  const isLeftOut = skip.includes(id) || only?.includes(id) === false;
  const verdict: Verdict = isLeftOut ? { state: "skipped", because: "You left it out." } : runCheck(check, recording);
  const looksFurther = !isLeftOut && rulesOfSet(set).untestedCounts;
  const isSkipped = verdict.state === "skipped";
  return {
    id,
    check,
    severity: checkSeverity(check, recording),
    chosen: fixFor(check, recording, verdict.state === "fail" ? verdict.evidence : []),
    verdict,
    untested: looksFurther ? findUntested(check, recording, { isSkipped }) : undefined,
    isLeftOut,
    preview: check.preview === true || (check.since ?? 1) > set,
    known: stringAt(baseline?.known, id),
    forced: stringAt(baseline?.forced, id),
  };
}

function isScored({ verdict, preview, forced }: JudgedCheck): boolean {
  return verdict.state === "fail" && !preview && forced === undefined;
}

/** The scored findings that are nobody's consequence, with what follows from them. */
function scoredGroups(judged: readonly JudgedCheck[], causes: ReadonlyMap<string, string>): Map<string, ScoredGroup> {
  const scored = judged.filter(isScored);
  const consequences = Map.groupBy(scored, ({ id }) => causes.get(id));
  return new Map(
    (consequences.get(undefined) ?? []).map(({ id, severity }) => [
      id,
      { severity, consequences: (consequences.get(id) ?? []).map((one) => one.severity) },
    ]),
  );
}

/** A report names so many exchanges of a finding at most. */
const MAX_SHOWN_EVIDENCE = 10;

function reportCheck(one: JudgedCheck, cause: string | undefined, group: ScoredGroup | undefined): CheckReport {
  const { id, check, severity, verdict } = one;
  const { category, title, why } = check;
  const { fix, source } = one.chosen;
  const base = { id, category, severity, source, title, why };
  if (isUntested(one) && one.untested !== undefined) {
    const { because, option } = one.untested;
    const cost = isCostlyUntested(one) ? SHARES[severity] / 100 : 0;
    return { ...base, state: "untested", message: because, ...(option && { option }), ...(cost > 0 && { cost }) };
  }
  if (verdict.state === "pass") return { ...base, state: "pass" };
  if (verdict.state === "skipped") return { ...base, state: "skipped", message: verdict.because };
  const { message, eras, evidence } = verdict;
  const reason = one.known ?? one.forced;
  const state = checkState(one, cause);
  return {
    ...base,
    state,
    eras,
    message,
    ...(group !== undefined && { cost: findingCost(group) }),
    ...(state === "follows" && cause !== undefined && { causedBy: cause }),
    ...(reason !== undefined && { reason }),
    evidence: evidence.slice(0, MAX_SHOWN_EVIDENCE),
    fix: { ...fix, docs: checkPage(id) },
  };
}

function checkState({ preview, known, forced }: JudgedCheck, cause: string | undefined): CheckState {
  if (forced !== undefined) return "forced";
  if (cause !== undefined) return "follows";
  if (preview) return "preview";
  return known === undefined ? "fail" : "known";
}

function countFindings(reports: readonly CheckReport[]): Record<CheckSeverity, number> {
  const counted = reports.filter(({ state }) => state === "fail" || state === "known");
  const count = (severity: CheckSeverity) => counted.filter((one) => one.severity === severity).length;
  return Object.fromEntries(CHECK_SEVERITIES.map((severity) => [severity, count(severity)])) as Record<
    CheckSeverity,
    number
  >;
}

/** Entries whose check found nothing any more. A check that was not run says nothing. */
function staleIn(baseline: Baseline | undefined, judged: readonly JudgedCheck[]): string[] {
  if (baseline === undefined) return [];
  return judged
    .filter(({ verdict, known, forced }) => verdict.state === "pass" && (known ?? forced) !== undefined)
    .map(({ id }) => id);
}

function reportTarget({ target, eras, unspoken }: Recording): ReportTarget {
  const [newest] = eras.toReversed();
  const tools = newest?.tools ?? [];
  return {
    transport: target.transport,
    ...(target.url !== undefined && { url: target.url }),
    ...(target.command !== undefined && { command: target.command }),
    loopback: target.loopback,
    server: newest?.server ?? { name: "", version: "" },
    revisions: eras.map(({ revision }) => revision),
    unspoken,
    tools: tools.length,
    readOnlyTools: tools.filter(onlyReads).length,
  };
}

function onlyReads(tool: unknown): boolean {
  return booleanAt(objectAt(tool, "annotations"), "readOnlyHint") === true;
}

function calledIn({ eras }: Recording): Pick<Report, "called" | "calledWriters" | "spared"> {
  const called = [...new Set(eras.flatMap((era) => era.called))];
  const readers = new Set(eras.flatMap((era) => era.tools.filter(onlyReads).map((tool) => stringAt(tool, "name"))));
  const spared = new Map(eras.flatMap((era) => era.spared.map((one) => [one.tool, one])));
  return {
    called,
    calledWriters: called.filter((tool) => !readers.has(tool)),
    spared: [...spared.values()].filter(({ tool }) => !called.includes(tool)),
  };
}

/** All exchanges, or those that the reports name. */
function exchangesIn({ eras }: Recording, reports: readonly CheckReport[] | undefined): RecordedExchange[] {
  const all = eras.flatMap((era) => era.exchanges);
  if (reports === undefined) return all;
  const named = new Set(reports.flatMap(({ evidence = [] }) => evidence));
  return all.filter(({ id }) => named.has(id));
}
