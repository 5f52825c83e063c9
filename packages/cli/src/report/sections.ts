import { SEVERITIES } from "../checks/check.ts";
import type { CheckReport, Report } from "./report.ts";

/** A finding with its consequences. */
export interface FindingEntry {
  readonly check: CheckReport;
  readonly also: readonly CheckReport[];
}

/** The checks of a report as a reader meets them, the worst first. */
export interface Sections {
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

export function sectionsOf({ checks }: Report): Sections {
  const consequences = Map.groupBy(checks, ({ causedBy }) => causedBy);
  const entries = (belongs: (check: CheckReport) => boolean) =>
    checks
      .filter(belongs)
      .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
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
  return SEVERITIES.filter((severity) => severity !== "info" && counts[severity] > 0)
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

/** Names with commas; "a, b and 3 more" if they are many. */
export function listed(names: readonly string[], max = 8): string {
  if (names.length <= max) return names.join(", ");
  return `${names.slice(0, max - 1).join(", ")} and ${names.length - max + 1} more`;
}

/** The rest of "1 finding", "2 findings". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
