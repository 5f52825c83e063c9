import { createHash } from "node:crypto";
import { type CheckSeverity, checkPage, SCORE_PAGE } from "../checks/check.ts";
import { type CheckReport, groupChecks, type Report } from "./report.ts";

/** Options of `sarifReport`. */
interface SarifOptions {
  /**
   * The file that findings are shown at, relative to the root of the repository, with slashes. Answers of a server have no line
   * in a source file, but code scanning refuses results without a file.
   */
  readonly file: string;
}

/** What the levels and numbers of code scanning say about a severity. */
const SARIF_LEVELS = {
  critical: { level: "error", security: "9.0", problem: "error" },
  high: { level: "error", security: "7.5", problem: "error" },
  medium: { level: "warning", security: "5.0", problem: "warning" },
  low: { level: "note", security: "2.0", problem: "recommendation" },
  info: { level: "note", security: "1.0", problem: "recommendation" },
} as const satisfies Record<
  CheckSeverity,
  { readonly level: "error" | "warning" | "note"; readonly security: string; readonly problem: string }
>;

/** Categories whose findings are problems of security, and are listed as such. */
const SECURITY_CATEGORIES: ReadonlySet<string> = new Set(["leak", "auth"]);

/**
 * The report as SARIF 2.1.0, for GitHub code scanning and others. Every check is a rule. Results are the findings that count,
 * their consequences, and those of the baseline, which are suppressed with your reason.
 */
export function sarifReport(report: Report, { file }: SarifOptions): string {
  const { yours, sdk, known, forced } = groupChecks(report);
  const counted = [...yours, ...sdk].flatMap(({ check, also }) => [check, ...also]);
  const listed = [...known, ...forced].flatMap(({ check, also }) => [check, ...also]);
  const { score, grade, coverage, set, checks, version } = report;
  const rules = new Map(checks.map(({ id }, at) => [id, at]));
  const toResult = (check: CheckReport) => ({
    ruleId: check.id,
    ruleIndex: rules.get(check.id) ?? -1,
    level: check.state === "follows" ? "note" : SARIF_LEVELS[check.severity].level,
    message: { text: sarifText(findingText(check)) },
    locations: [resultLocation(file, report)],
    partialFingerprints: fingerprints(check, report),
    ...(check.reason !== undefined && {
      suppressions: [{ kind: "external", status: "accepted", justification: check.reason }],
    }),
    properties: {
      severity: check.severity,
      state: check.state,
      ...(check.cost !== undefined && { cost: check.cost }),
      ...(check.eras !== undefined && { eras: check.eras }),
      ...(check.evidence !== undefined && { evidence: check.evidence }),
    },
  });
  const document = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "recourse",
            semanticVersion: version,
            informationUri: SCORE_PAGE,
            rules: checks.map(sarifRule),
          },
        },
        automationDetails: { id: "recourse-probe/" },
        columnKind: "utf16CodeUnits",
        results: [...counted, ...listed].map(toResult),
        properties: { score, grade, coverage, set },
      },
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function sarifRule({ id, category, severity, title, why }: CheckReport) {
  const { level, security, problem } = SARIF_LEVELS[severity];
  const isSecurity = SECURITY_CATEGORIES.has(category);
  const page = checkPage(id);
  return {
    id,
    name: id.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: { text: `${why}\n\n${page}`, markdown: `${why}\n\n[More about this check](${page})` },
    helpUri: page,
    defaultConfiguration: { level },
    properties: {
      tags: [category, "mcp", ...(isSecurity ? ["security"] : [])],
      precision: "high",
      "problem.severity": problem,
      ...(isSecurity && { "security-severity": security }),
    },
  };
}

function findingText({ message, title, causedBy, fix }: CheckReport): string {
  const cause = causedBy === undefined ? [] : [`It follows from ${causedBy}.`];
  return [message ?? title, ...cause, ...(fix === undefined ? [] : [`Fix: ${fix.text}`])].join(" ");
}

/** A message may hold links in brackets. Texts of a server must not become some. */
function sarifText(text: string): string {
  return text.toWellFormed().replaceAll(/[\\[\]]/g, "\\$&");
}

function resultLocation(file: string, { target }: Report) {
  return {
    physicalLocation: {
      artifactLocation: { uri: file.split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" },
      region: { startLine: 1 },
    },
    logicalLocations: [{ name: target.server.name || "MCP server", kind: "resource" }],
  };
}

/**
 * The same in every run, so that an alert is one and the same until it is fixed: the check and the name of the server,
 * no text, address or version. Code scanning reads the first name, which it would otherwise compute from the line of
 * the file.
 */
function fingerprints({ id }: CheckReport, { target }: Report): Readonly<Record<string, string>> {
  const hash = createHash("sha256").update(`${id}\0${target.server.name}`).digest("hex").slice(0, 32);
  return { primaryLocationLineHash: `${hash}:1`, "recourseCheck/v1": hash };
}
