import { booleanAt, objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import { CHECKS } from "../checks/catalogue.ts";
import { type Check, SEVERITIES, type Severity } from "../checks/check.ts";
import type { Exchange, Recording } from "../recording/recording.ts";
import { docsOf } from "../report/docs-url.ts";
import type { CheckReport, CheckState, Report, ReportTarget } from "../report/report.ts";
import type { Baseline } from "./baseline.ts";
import { causesOf } from "./causes.ts";
import { fixesOf } from "./fixes.ts";
import { runCheck, severityFor, type Verdict } from "./run-check.ts";
import { costOf, gradeOf, type ScoredGroup, scoreOf } from "./score.ts";

/** The newest set of scored checks. */
export const NEWEST_SET = 1;

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
  readonly checks?: readonly Check[] | undefined;
}

/** Judges a recording by every check. Nothing but the recording and the options decides the verdict. */
export function judge(recording: Recording, options: JudgeOptions = {}): Report {
  const { checks = CHECKS, set = NEWEST_SET, baseline } = options;
  const judged = checks.map((check) => judgeOne(check, recording, options));
  const follows = new Map(checks.map((check) => [check.id, check.follows ?? []]));
  const causes = causesOf(judged.filter(isScored), follows);
  const groups = groupsOf(judged, causes);
  const coverage = { applied: judged.filter(({ verdict }) => verdict.state !== "skipped").length, of: checks.length };
  const score = scoreOf([...groups.values()]);
  const reports = judged.map((one) => reportOf(one, causes.get(one.id), groups.get(one.id)));
  return {
    tool: "recourse",
    version: recording.version,
    set,
    target: targetOf(recording),
    score,
    grade: gradeOf(score, coverage),
    coverage,
    counts: countsOf(reports),
    checks: reports,
    fixes: fixesOf({ reports, groups, transport: recording.target.transport }),
    stale: staleIn(baseline, judged),
    ...calledIn(recording),
    exchanges: exchangesIn(recording, options.allExchanges === true ? undefined : reports),
    interrupted: recording.interrupted === true,
    startedAt: recording.startedAt,
    durationMs: recording.durationMs,
  };
}

/** A check with its verdict, before causes are looked for. */
interface Judged {
  readonly id: string;
  readonly check: Check;
  readonly severity: Severity;
  readonly verdict: Verdict;
  readonly preview: boolean;
  /** Why the baseline lists it. */
  readonly known: string | undefined;
  readonly forced: string | undefined;
}

function judgeOne(check: Check, recording: Recording, options: JudgeOptions): Judged {
  const { id } = check;
  const { only, skip = [], set = NEWEST_SET, baseline } = options;
  const leftOut = skip.includes(id) || only?.includes(id) === false;
  return {
    id,
    check,
    severity: severityFor(check, recording),
    verdict: leftOut ? { state: "skipped", because: "You left it out." } : runCheck(check, recording),
    preview: check.preview === true || (check.since ?? 1) > set,
    known: stringAt(baseline?.known, id),
    forced: stringAt(baseline?.forced, id),
  };
}

function isScored({ verdict, preview, forced }: Judged): boolean {
  return verdict.state === "fail" && !preview && forced === undefined;
}

/** The scored findings that are nobody's consequence, with what follows from them. */
function groupsOf(judged: readonly Judged[], causes: ReadonlyMap<string, string>): Map<string, ScoredGroup> {
  const scored = judged.filter(isScored);
  const consequences = Map.groupBy(scored, ({ id }) => causes.get(id));
  return new Map(
    (consequences.get(undefined) ?? []).map(({ id, severity }) => [
      id,
      { severity, consequences: (consequences.get(id) ?? []).map((one) => one.severity) },
    ]),
  );
}

function reportOf(one: Judged, cause: string | undefined, group: ScoredGroup | undefined): CheckReport {
  const { id, check, severity, verdict } = one;
  const { category, source, title, why } = check;
  const base = { id, category, severity, source, title, why };
  if (verdict.state === "pass") return { ...base, state: "pass" };
  if (verdict.state === "skipped") return { ...base, state: "skipped", message: verdict.because };
  const { message, eras, evidence } = verdict;
  const reason = one.known ?? one.forced;
  const state = stateOf(one, cause);
  return {
    ...base,
    state,
    eras,
    message,
    ...(group !== undefined && { cost: costOf(group) }),
    ...(state === "follows" && cause !== undefined && { causedBy: cause }),
    ...(reason !== undefined && { reason }),
    evidence,
    fix: { ...check.fix, docs: docsOf(id) },
  };
}

function stateOf({ preview, known, forced }: Judged, cause: string | undefined): CheckState {
  if (forced !== undefined) return "forced";
  if (cause !== undefined) return "follows";
  if (preview) return "preview";
  return known === undefined ? "fail" : "known";
}

function countsOf(reports: readonly CheckReport[]): Record<Severity, number> {
  const counted = reports.filter(({ state }) => state === "fail" || state === "known");
  const count = (severity: Severity) => counted.filter((one) => one.severity === severity).length;
  return Object.fromEntries(SEVERITIES.map((severity) => [severity, count(severity)])) as Record<Severity, number>;
}

/** Entries whose check found nothing any more. A check that was not run says nothing. */
function staleIn(baseline: Baseline | undefined, judged: readonly Judged[]): string[] {
  if (baseline === undefined) return [];
  return judged
    .filter(({ verdict, known, forced }) => verdict.state === "pass" && (known ?? forced) !== undefined)
    .map(({ id }) => id);
}

function targetOf({ target, eras, unspoken }: Recording): ReportTarget {
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
function exchangesIn({ eras }: Recording, reports: readonly CheckReport[] | undefined): Exchange[] {
  const all = eras.flatMap((era) => era.exchanges);
  if (reports === undefined) return all;
  const named = new Set(reports.flatMap(({ evidence = [] }) => evidence));
  return all.filter(({ id }) => named.has(id));
}
