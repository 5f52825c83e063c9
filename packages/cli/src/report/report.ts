import { type Category, CHECK_SEVERITIES, type CheckSeverity, type Fix } from "../checks/check.ts";
import type { EraRevision, RecordedExchange, RecordedTarget, Recording } from "../recording/recording.ts";

/** The verdict on a server: what `--json` prints. Its form is part of the contract. */
export interface Report {
  readonly tool: "recourse";
  readonly version: string;
  /** The number of the set of scored checks. */
  readonly set: number;
  readonly target: ReportTarget;
  /** 0 to 100. */
  readonly score: number;
  /** A to F, with a question mark if few checks applied. */
  readonly grade: string;
  /** How many checks had something to look at. */
  readonly coverage: { readonly applied: number; readonly of: number };
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
  readonly spared: readonly { readonly tool: string; readonly because: string }[];
  /** The exchanges that are named as evidence; all of them with `--exchanges`. */
  readonly exchanges: readonly RecordedExchange[];
  /** Whether the probe was ended before it was done, so that findings may be missing. */
  readonly interrupted: boolean;
  readonly startedAt: string;
  readonly durationMs: number;
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
 * What became of a check. Only `fail` and `known` cost points: `follows` is a consequence of another finding, `preview` is a
 * rule on trial, `known` is listed in your baseline, and `forced` is what another document asks of this server.
 */
export type CheckState = "pass" | "fail" | "follows" | "skipped" | "preview" | "known" | "forced";

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
  /** The finding, or why the check was skipped. */
  readonly message?: string;
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
  /** The findings that it mends, consequences too. */
  readonly cures: readonly string[];
  /** How many points the score gains by it. */
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
    skipped: checks.filter(({ state }) => state === "skipped"),
  };
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

/** The functions that mend findings, and where they help. */
const CALLS = [
  { name: "guard", call: "guard(server)", on: ["stdio", "http"] },
  { name: "guardHandler", call: "guardHandler(handler)", on: ["http"] },
  { name: "edgeErrorHandler", call: "edgeErrorHandler()", on: ["http"] },
  { name: "guardStdin", call: "guardStdin()", on: ["stdio"] },
  { name: "guardStdout", call: "guardStdout()", on: ["stdio"] },
] as const satisfies readonly { name: string; call: string; on: readonly RecordedTarget["transport"][] }[];

/** A call with options mends what those options are about, and nothing else. */
const HAS_OPTIONS = /\bguard\w*\([^;]*,\s*\{/;

/** What the code of a fix comes down to on a transport, such as `guard(server)`. Undefined if it is more than calls. */
export function fixCalls({ code }: Fix, transport: RecordedTarget["transport"]): string | undefined {
  if (code === undefined || HAS_OPTIONS.test(code)) return undefined;
  const calls = CALLS.filter(
    ({ name, on }) => on.some((one) => one === transport) && new RegExp(`\\b${name}\\(`).test(code),
  );
  return calls.length === 0 ? undefined : calls.map(({ call }) => call).join(" and ");
}
