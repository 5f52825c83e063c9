import { booleanAt, objectAt, stringAt } from "@recourse/wire";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import { CHECK_SEVERITIES, type CheckResult, type CheckSeverity, checkPage, type ProbeCheck } from "../checks/check.ts";
import type { EraRecord, EraRevision, RecordedExchange, Recording } from "../recording/recording.ts";
import type { CheckReport, CheckState, Report, ReportTarget } from "../report/report.ts";
import type { Baseline } from "./baseline.ts";
import { computeGrade, computeScore, findCauses, findingCost, planFixes, type ScoredGroup } from "./score.ts";

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
  readonly checks?: readonly ProbeCheck[] | undefined;
}

/** Judges a recording by every check. Nothing but the recording and the options decides the verdict. */
export function judgeRecording(recording: Recording, options: JudgeOptions = {}): Report {
  const { checks = PROBE_CHECKS, set = NEWEST_SET, baseline } = options;
  const judged = checks.map((check) => judgeOne(check, recording, options));
  const follows = new Map(checks.map((check) => [check.id, check.follows ?? []]));
  const causes = findCauses(judged.filter(isScored), follows);
  const groups = scoredGroups(judged, causes);
  const coverage = { applied: judged.filter(({ verdict }) => verdict.state !== "skipped").length, of: checks.length };
  const score = computeScore([...groups.values()]);
  const reports = judged.map((one) => reportCheck(one, causes.get(one.id), groups.get(one.id)));
  return {
    tool: "recourse",
    version: recording.version,
    set,
    target: reportTarget(recording),
    score,
    grade: computeGrade(score, coverage),
    coverage,
    counts: countFindings(reports),
    checks: reports,
    fixes: planFixes({ reports, groups, transport: recording.target.transport }),
    stale: staleIn(baseline, judged),
    ...calledIn(recording),
    exchanges: exchangesIn(recording, options.allExchanges === true ? undefined : reports),
    interrupted: recording.interrupted === true,
    startedAt: recording.startedAt,
    durationMs: recording.durationMs,
  };
}

/** A check with its verdict, before causes are looked for. */
interface JudgedCheck {
  readonly id: string;
  readonly check: ProbeCheck;
  readonly severity: CheckSeverity;
  readonly verdict: Verdict;
  readonly preview: boolean;
  /** Why the baseline lists it. */
  readonly known: string | undefined;
  readonly forced: string | undefined;
}

function judgeOne(check: ProbeCheck, recording: Recording, options: JudgeOptions): JudgedCheck {
  const { id } = check;
  const { only, skip = [], set = NEWEST_SET, baseline } = options;
  const leftOut = skip.includes(id) || only?.includes(id) === false;
  return {
    id,
    check,
    severity: checkSeverity(check, recording),
    verdict: leftOut ? { state: "skipped", because: "You left it out." } : runCheck(check, recording),
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

function reportCheck(one: JudgedCheck, cause: string | undefined, group: ScoredGroup | undefined): CheckReport {
  const { id, check, severity, verdict } = one;
  const { category, source, title, why } = check;
  const base = { id, category, severity, source, title, why };
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
    evidence,
    fix: { ...check.fix, docs: checkPage(id) },
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

/** What a check says about all eras of a recording. */
type Verdict =
  | { readonly state: "pass" }
  | { readonly state: "skipped"; readonly because: string }
  | {
      readonly state: "fail";
      readonly message: string;
      /** The eras in which it failed. */
      readonly eras: readonly EraRevision[];
      /** Ids of exchanges; the clearest one of each era comes first. */
      readonly evidence: readonly string[];
    };

/** Runs a check on every era that it is about. It fails if it fails in one of them. */
export function runCheck(check: ProbeCheck, recording: Recording): Verdict {
  const because = whySkipped(check, recording);
  if (because !== undefined) return { state: "skipped", because };
  const results = recording.eras
    .filter((era) => appliesTo(check, era))
    .map((era) => ({ era, result: runSafely(check, recording, era) }));
  const failed = results.flatMap(({ era, result }) => (result.state === "fail" ? [{ era, result }] : []));
  const [first] = failed;
  if (first !== undefined)
    return {
      state: "fail",
      message: first.result.message,
      eras: failed.map(({ era }) => era.revision),
      evidence: interleave(failed.map(({ result }) => result.evidence)),
    };
  if (results.some(({ result }) => result.state === "pass")) return { state: "pass" };
  const skipped = results.find(({ result }) => result.state === "skipped")?.result;
  return skipped?.state === "skipped" ? skipped : { state: "skipped", because: "There was nothing to look at." };
}

/** How bad a finding of this check is on this server. */
export function checkSeverity(check: ProbeCheck, { target }: Recording): CheckSeverity {
  const { severity, severityOn } = check;
  if (target.transport === "stdio") return severityOn?.stdio ?? severity;
  return target.loopback ? severity : (severityOn?.remote ?? severity);
}

const TRANSPORT_NAMES = { stdio: "stdio", http: "HTTP" } as const;

function whySkipped(check: ProbeCheck, { target, eras }: Recording): string | undefined {
  if (check.transport !== undefined && check.transport !== target.transport)
    return `This is about servers over ${TRANSPORT_NAMES[check.transport]}.`;
  if (eras.length === 0) return "The server was not probed.";
  if (!eras.some((era) => appliesTo(check, era)))
    return `This is about MCP ${check.revisions?.join(" and ")}, which was not probed.`;
  return undefined;
}

function appliesTo({ revisions }: ProbeCheck, { revision }: EraRecord): boolean {
  return revisions === undefined || revisions.includes(revision);
}

/** A check that throws has a bug. The other checks still have something to say. */
function runSafely(check: ProbeCheck, recording: Recording, era: EraRecord): CheckResult {
  try {
    return check.run({ recording, era });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { state: "skipped", because: `The check itself failed, which is a bug in recourse: ${text}` };
  }
}

/** The first of each list, then the second of each. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? []));
  return [...new Set(inTurn.flat())];
}
