import { type Category, CHECK_SEVERITIES, type CheckSeverity, type Fix } from "../checks/check.ts";
import type { EraRevision, RecordedExchange, RecordedTarget, Recording, SparedTool } from "../recording/recording.ts";
import { probeLine } from "../terminal/shell.ts";
import { listNames, lowerSentence } from "../terminal/wording.ts";

/** The verdict on a server: what `--json` prints. Its form is part of the contract. */
export interface Report {
  readonly tool: "recourse";
  readonly version: string;
  /** The number of the set of scored checks. */
  readonly set: number;
  readonly target: ReportTarget;
  /** 0 to 100: what the server is sure to have. What its annotations kept from being tested counts as not passed. */
  readonly score: number;
  /** The score if everything that was not tested passes. */
  readonly atMost: number;
  /** A to F, with a question mark if it is not sure. A question mark alone if nearly all depends on what was not tested. */
  readonly grade: string;
  readonly coverage: ReportCoverage;
  /** What was not tested, and the option that tests it; what costs points first. */
  readonly untested: readonly UntestedPart[];
  /** Scored findings by severity. */
  readonly counts: Readonly<Record<CheckSeverity, number>>;
  readonly checks: readonly CheckReport[];
  /** What to do, the most points first. */
  readonly fixes: readonly FixStep[];
  /** Entries of the baseline whose check passes now. */
  readonly stale: readonly string[];
  /** Tools that got valid arguments. */
  readonly called: readonly string[];
  /** Those of them that do not say that they only read. */
  readonly calledWriters: readonly string[];
  /** Tools that got nothing, with the reason. */
  readonly spared: readonly SparedTool[];
  /** The exchanges that are named as evidence; all of them with `--exchanges`. */
  readonly exchanges: readonly RecordedExchange[];
  /** Whether the probe was ended before it was done, so that findings may be missing. */
  readonly interrupted: boolean;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** How many checks were run, and how many not. `of` is the sum of the others. */
export interface ReportCoverage {
  /** They had something to look at, and looked at all of it that may be called. */
  readonly applied: number;
  /** There is something to look at, but the probe was not allowed or able to. */
  readonly notTested: number;
  /** The server has nothing of the kind, or nothing of the kind happened. */
  readonly notApplicable: number;
  /** You left them out with `--only` or `--skip`. */
  readonly leftOut: number;
  readonly of: number;
}

/** Something that was not tested. */
export interface UntestedPart {
  /** Whether annotations of tools kept the probe from it, or a group of requests was not sent. */
  readonly kind: "annotations" | "left-out";
  /** One sentence. */
  readonly because: string;
  /** The option that tests it. */
  readonly option?: string;
  /** Tools that were not called. */
  readonly tools?: readonly string[];
  /** Tools that the option would call. */
  readonly wouldCall?: readonly string[];
  /** The ids of the checks that it is about. */
  readonly checks: readonly string[];
}

/** The probed server. */
export interface ReportTarget extends Pick<RecordedTarget, "transport" | "url" | "command" | "loopback"> {
  readonly server: { readonly name: string; readonly version: string };
  readonly revisions: readonly EraRevision[];
  /** Eras that the server does not speak, with the reason. */
  readonly unspoken: Recording["unspoken"];
  readonly tools: number;
  readonly readOnlyTools: number;
}

/**
 * What became of a check. `fail` and `known` cost points: `known` is listed in your baseline. `untested` costs them too if
 * annotations of tools are the reason: there was something to look at, and it was not looked at. `skipped` is not applicable, or left
 * out by you. `follows` is a consequence of another finding, `preview` is a rule on trial, and `forced` is what another document
 * asks of this server.
 */
export type CheckState = "pass" | "fail" | "follows" | "untested" | "skipped" | "preview" | "known" | "forced";

/** What became of one check. */
export interface CheckReport {
  readonly id: string;
  readonly category: Category;
  /** On this transport. */
  readonly severity: CheckSeverity;
  readonly state: CheckState;
  readonly source: "yours" | "sdk";
  /** What the check asks for. */
  readonly title: string;
  /** Why it matters. */
  readonly why: string;
  /** The eras in which it failed. */
  readonly eras?: readonly EraRevision[];
  /** The finding, or why the check was not run. */
  readonly message?: string;
  /** The option that tests it. */
  readonly option?: string;
  /** The share of the score that it takes, 0 to 1. */
  readonly cost?: number;
  /** The finding that this one is a consequence of. */
  readonly causedBy?: string;
  /** Why the baseline lists it. */
  readonly reason?: string;
  /** Ids of exchanges. */
  readonly evidence?: readonly string[];
  readonly fix?: Fix & { readonly docs: string };
}

/** One thing to do. */
export interface FixStep extends Fix {
  /** The findings that it surely fixes. */
  readonly cures: readonly string[];
  /** How many points the score gains by it at least. */
  readonly points: number;
}

/** A finding with its consequences. */
export interface FindingEntry {
  readonly check: CheckReport;
  readonly also: readonly CheckReport[];
}

/** The checks of a report as a reader meets them, the worst first. */
export interface ReportSections {
  /** Findings that the author of the server can mend. */
  readonly yours: readonly FindingEntry[];
  /** Findings that come with the SDK. */
  readonly sdk: readonly FindingEntry[];
  /** Listed in the baseline, and scored. */
  readonly known: readonly FindingEntry[];
  /** Asked for by another document, and not scored. */
  readonly forced: readonly FindingEntry[];
  /** Rules on trial and information: not scored. */
  readonly unscored: readonly FindingEntry[];
  readonly passed: readonly CheckReport[];
  /** There was something to look at, and it was not looked at. */
  readonly untested: readonly CheckReport[];
  /** Not applicable, or left out by you. */
  readonly skipped: readonly CheckReport[];
}

export function groupChecks({ checks }: Report): ReportSections {
  const consequences = Map.groupBy(checks, ({ causedBy }) => causedBy);
  const entries = (belongs: (check: CheckReport) => boolean) =>
    checks
      .filter(belongs)
      .toSorted((a, b) => CHECK_SEVERITIES.indexOf(a.severity) - CHECK_SEVERITIES.indexOf(b.severity))
      .map((check): FindingEntry => ({ check, also: consequences.get(check.id) ?? [] }));
  const scored = ({ state, severity }: CheckReport) => state === "fail" && severity !== "info";
  return {
    yours: entries((check) => scored(check) && check.source === "yours"),
    sdk: entries((check) => scored(check) && check.source === "sdk"),
    known: entries(({ state }) => state === "known"),
    forced: entries(({ state }) => state === "forced"),
    unscored: entries(({ state, severity }) => state === "preview" || (state === "fail" && severity === "info")),
    passed: checks.filter(({ state }) => state === "pass"),
    untested: checks.filter(({ state }) => state === "untested"),
    skipped: checks.filter(({ state }) => state === "skipped"),
  };
}

/** "97 A", or "0 to 83" if what was not tested decides. */
export function scoreText({ score, atMost, grade }: Pick<Report, "score" | "atMost" | "grade">): string {
  return grade === "?" ? `${score} to ${atMost}` : `${score} ${grade}`;
}

/** How many findings cost points. */
export function findingCount({ counts }: Report): number {
  return counts.critical + counts.high + counts.medium + counts.low;
}

/** "1 critical, 3 medium, 7 low" */
export function countsText({ counts }: Report): string {
  return CHECK_SEVERITIES.filter((severity) => severity !== "info" && counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}`)
    .join(", ");
}

/** "27 of 62 checks tested, 14 not applicable" */
export function coverageText({ coverage, set }: Report): string {
  const { applied, notTested, notApplicable, leftOut, of } = coverage;
  // Set 1 does not tell apart what does not apply and what was not tested.
  if (set === 1) return `${applied} of ${of} checks applied`;
  const rest = [
    ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out by you`] : []),
  ];
  return [`${applied} of ${applied + notTested} checks tested`, ...rest].join(", ");
}

/** "35 of 62 checks were not tested: no tool says that it only reads." */
export function untestedText({ because, checks }: UntestedPart, { coverage }: Report): string {
  const count = `${checks.length} of ${coverage.applied + coverage.notTested} checks`;
  return `${count} ${checks.length === 1 ? "was" : "were"} not tested: ${lowerSentence(because)}.`;
}

/** The command that tests what was not tested. Undefined if no option does. */
export function untestedCommand({ option, wouldCall }: UntestedPart, { target }: Report): string | undefined {
  if (option === undefined) return undefined;
  const names = option === "--tools" ? [(wouldCall ?? []).join(",")] : [];
  return probeLine(option, ...names, ...(target.url === undefined ? (target.command ?? []) : [target.url]));
}

/** What an option would do, if that matters. */
export function untestedNote({ option, wouldCall = [] }: UntestedPart): string | undefined {
  if (option === "--by-name") return `It would call ${listNames(wouldCall, 6)}.`;
  return option === "--tools" ? "Do it if these tools change nothing, or on a test system." : undefined;
}

/** The share of the score that several findings take together, 0 to 1. */
export function costTogether(entries: readonly FindingEntry[]): number {
  return 1 - entries.reduce((left, { check }) => left * (1 - (check.cost ?? 0)), 1);
}

/** "40 %" */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** "2.1 s" */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
