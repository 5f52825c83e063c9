// One row for each server: what the terminal and docs/survey.md show.
import type { CheckReport, Report } from "../../packages/cli/src/report/report.ts";
import type { Entry } from "./entry.ts";
import type { Surveyed } from "./probe.ts";

/** The cells of a row. */
export interface Row {
  readonly server: string;
  readonly version: string;
  readonly transport: string;
  readonly eras: string;
  readonly score: string;
  readonly coverage: string;
  readonly "critical, high": string;
  readonly medium: string;
  readonly low: string;
  readonly changed: string;
  readonly time: string;
}

/** The findings of a report: what takes from its score. */
export function findingsOf(report: Report): readonly CheckReport[] {
  return report.checks.filter(({ state }) => state === "fail");
}

/** The row of a server. */
export function rowOf({ name, report, failed, ms, changes }: Surveyed, entry: Entry): Row {
  const changed = changes.length === 0 ? "nothing" : summaryOf(changes);
  const time = `${(ms / 1_000).toFixed(1)} s`;
  if (report === undefined) {
    const empty = { version: "", transport: "", eras: "", coverage: "", "critical, high": "", medium: "", low: "" };
    return { server: name, ...empty, score: failed ?? "no report", changed, time };
  }
  const findings = findingsOf(report);
  const count = (severity: string) => String(findings.filter((one) => one.severity === severity).length);
  const severe = findings.filter(({ severity }) => severity === "critical" || severity === "high");
  return {
    server: name,
    version: report.target.server.version,
    transport: entry.listens === undefined ? "stdio" : "http",
    eras: report.target.revisions.map((revision) => revision.slice(0, 4)).join(", "),
    score: `${report.score} ${report.grade}`,
    coverage: `${report.coverage.applied}/${report.coverage.of}`,
    "critical, high": severe.map(({ id }) => id).join(", "),
    medium: count("medium"),
    low: count("low"),
    changed,
    time,
  };
}

/** Only the first names; folders with a random ending count as one. */
function summaryOf(changes: readonly string[]): string {
  const names = changes.map((change) => change.replace(/-[A-Za-z0-9]{6}$/, "-*"));
  const tops = [...new Set(names)].filter((name, _, all) => !all.some((other) => name.startsWith(`${other}/`)));
  const shown = tops.slice(0, MAX_NAMES).join(", ");
  return tops.length > MAX_NAMES ? `${shown} and ${tops.length - MAX_NAMES} more` : shown;
}

const MAX_NAMES = 3;

/** A table for a terminal. */
export function toText(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return "";
  const names = Object.keys(first) as (keyof Row)[];
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name].length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(names), ...rows.map((row) => line(names.map((name) => row[name])))].join("\n");
}

/** A table in Markdown. */
export function toMarkdown(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return "";
  const names = Object.keys(first) as (keyof Row)[];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(names), line(names.map(() => "---")), ...rows.map((row) => line(names.map((name) => row[name])))].join(
    "\n",
  );
}
