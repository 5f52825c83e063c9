import { CHECK_SEVERITIES, SCORE_PAGE } from "../checks/check.ts";
import { cutTo } from "../terminal/layout.ts";
import { printable, printableLine } from "../terminal/printable.ts";
import { listNames, plural } from "../terminal/wording.ts";
import { gotText, sentText } from "./excerpt.ts";
import {
  type CheckReport,
  countsText,
  coverageText,
  type FindingEntry,
  findingCount,
  groupChecks,
  percent,
  type Report,
  scoreText,
  seconds,
} from "./report.ts";

/** The first line of the text. A workflow finds its own comment by it, and changes that one instead of adding more. */
export const MARKDOWN_MARK = "<!-- recourse-probe -->";

/** A comment of GitHub has at most 65,536 characters. So many are for each part. */
const ROOM = { rows: 18_000, listed: 4_000, untested: 6_000, evidence: 20_000 } as const;
const MAX_FIRST_STEPS = 3;
/** The longest text in a table, in a sentence of ours, and in the evidence. */
const MAX_CELL = 300;
const MAX_SHOWN_SENTENCE = 1_000;
const MAX_CODE = 800;

/** The report as Markdown for a comment on a pull request or the summary of a job. Texts of the server stay texts. */
export function markdownReport(report: Report): string {
  const { yours, sdk, known, forced, untested, skipped } = groupChecks(report);
  const found = [...yours, ...sdk].toSorted((a, b) => bySeverity(a.check) - bySeverity(b.check));
  const quietLine = ({ id, message = "" }: CheckReport) => `- \`${id}\` ${plainText(message)}`;
  const stale = listNames(report.stale.map((id) => `\`${id}\``));
  return [
    MARKDOWN_MARK,
    ...headlines(report),
    ...stepLines(report),
    ...findingTable(found),
    ...folded("Evidence and fixes", evidenceBlocks(found, report), ROOM.evidence),
    ...folded(`Known, in your baseline (${known.length})`, known.map(listedLine), ROOM.listed),
    ...folded(`Forced by another document (${forced.length})`, forced.map(listedLine), ROOM.listed),
    ...folded(`Not tested (${untested.length})`, untested.map(quietLine), ROOM.untested),
    ...folded(`Not applicable (${skipped.length})`, skipped.map(quietLine), ROOM.untested),
    ...(stale === "" ? [] : [`**Your baseline lists what passes now.** Remove ${stale}.`, ""]),
    `<sub>recourse ${plainText(report.version)} · set ${report.set} · ${seconds(report.durationMs)} · [how the score is calculated](${SCORE_PAGE})</sub>`,
    "",
  ].join("\n");
}

function headlines(report: Report): string[] {
  const { score, grade, target, interrupted } = report;
  const count = findingCount(report);
  const facts = [
    plainText(`${target.server.name || "Unnamed server"} ${target.server.version}`.trim(), 100),
    target.transport,
    count === 0 ? "nothing found" : `${plural(count, "finding")} (${countsText(report)})`,
    coverageText(report),
  ];
  return [
    `## How this MCP server fails: ${grade === "?" ? `${scoreText(report)} of 100, not graded` : `${score} of 100, grade ${grade}`}`,
    "",
    facts.join(" · "),
    "",
    ...howSure(report),
    ...(interrupted ? ["**The probe was ended early, so findings may be missing.**", ""] : []),
  ];
}

/** How far the score can be trusted, and which option tests more. */
function howSure({ score, atMost, grade, coverage, untested }: Report): string[] {
  if (coverage.notTested === 0 && !grade.includes("?")) return [];
  const range = atMost > score ? ` The score is ${atMost} if all of that passes.` : "";
  const [first] = untested.filter(({ option }) => option !== undefined);
  const more = first?.option === undefined ? "" : ` Test more with \`${printableLine(first.option)}\`.`;
  const label = grade.includes("?") ? "Not sure" : "Not all of it";
  return [`**${label}:** ${plural(coverage.notTested, "check")} could not be tested.${range}${more}`, ""];
}

function stepLines({ fixes }: Report): string[] {
  if (fixes.length === 0) return [];
  const steps = fixes.slice(0, MAX_FIRST_STEPS).map(({ text, points, cures }, at) => {
    const gain = points > 0 ? ` **+${plural(points, "point")}**` : "";
    return `${at + 1}. ${sentenceText(text)}${gain}<br>${listNames(cures.map((id) => `\`${id}\``))}`;
  });
  return ["### What to do first", "", ...steps, ""];
}

function findingTable(found: readonly FindingEntry[]): string[] {
  if (found.length === 0) return [];
  const rows = found.map(({ check }) => {
    const cost = check.cost === undefined || check.cost === 0 ? "" : `−${percent(check.cost)}`;
    return `| ${check.severity} | ${checkLink(check)} | ${plainText(check.message ?? check.title)} | ${cost} |`;
  });
  const { kept, left } = within(rows, ROOM.rows);
  return [
    "### Findings",
    "",
    "| Severity | Check | What was found | Cost |",
    "| --- | --- | --- | ---: |",
    ...kept,
    "",
    ...(left === 0 ? [] : [`${plural(left, "finding")} more.`, ""]),
  ];
}

/** The evidence of each finding and how to fix it, the worst first. Code that fixes several is shown with the first. */
function evidenceBlocks(found: readonly FindingEntry[], { exchanges }: Report): string[] {
  const first = new Map(found.toReversed().map(({ check }) => [check.fix?.code, check.id]));
  return found.map(({ check, also }) => {
    const exchange = exchanges.find(({ id }) => check.evidence?.includes(id));
    const { text, code } = check.fix ?? {};
    return [
      `**\`${check.id}\`** ${plainText(check.message ?? check.title)}`,
      "",
      ...(exchange === undefined
        ? []
        : ["Sent:", "", fenced(sentText(exchange)), "Got:", "", fenced(gotText(exchange))]),
      ...(text === undefined ? [] : [`Fix: ${sentenceText(text)}`, ""]),
      ...(code === undefined || first.get(code) !== check.id ? [] : [fenced(code, "ts")]),
      ...(also.length === 0 ? [] : [`Follows from it: ${listNames(also.map(({ id }) => `\`${id}\``))}`, ""]),
    ].join("\n");
  });
}

function folded(title: string, parts: readonly string[], room: number): string[] {
  if (parts.length === 0) return [];
  const { kept, left } = within(parts, room);
  const more = left === 0 ? [] : ["", `${left} more are left out here.`];
  return ["<details>", `<summary>${title}</summary>`, "", ...kept, ...more, "", "</details>", ""];
}

/** The first parts, as many as there is room for, and how many are left. */
function within(parts: readonly string[], room: number): { readonly kept: readonly string[]; readonly left: number } {
  let used = 0;
  const end = parts.findIndex((part) => {
    used += part.length + 1;
    return used > room;
  });
  return end < 0 ? { kept: parts, left: 0 } : { kept: parts.slice(0, end), left: parts.length - end };
}

function listedLine({ check }: FindingEntry): string {
  return `- ${checkLink(check)} ${plainText(check.message ?? check.title)} Reason: ${plainText(check.reason ?? "")}`;
}

function checkLink({ id, fix }: CheckReport): string {
  return fix === undefined ? `\`${id}\`` : `[\`${id}\`](${fix.docs})`;
}

function bySeverity({ severity }: CheckReport): number {
  return CHECK_SEVERITIES.indexOf(severity);
}

/** A sentence in which names between backticks are code. */
function sentenceText(text: string): string {
  const parts = text.replaceAll(/\s+/g, " ").split(/`([^`]{1,200})`/);
  return parts
    .map((part, at) => (at % 2 === 1 ? `\`${printableLine(part)}\`` : plainParts(part, MAX_SHOWN_SENTENCE)))
    .join("");
}

const NO_LINK = "\u200b";

/**
 * A text of the server within a sentence or a table. What Markdown and HTML read as a sign is a character reference. GitHub
 * looks for mentions, issues and addresses after that, so an invisible space parts their signs from what follows.
 */
function plainText(text: string, max = MAX_CELL): string {
  return plainParts(
    text
      .slice(0, max * 4)
      .toWellFormed()
      .replaceAll(/\s+/g, " ")
      .trim(),
    max,
  );
}

function plainParts(text: string, max: number): string {
  return printableLine(cutTo(text, max))
    .replaceAll(/[\\`*_[\]<>&|~$@#:]/g, (sign) => `&#${sign.charCodeAt(0)};${"@#:".includes(sign) ? NO_LINK : ""}`)
    .replaceAll(/\b(?:GH(?=-)|www(?=\.))/gi, (word) => word + NO_LINK);
}

/** A block of code with a fence that its content cannot close. */
function fenced(text: string, language = "text"): string {
  const content = printable(text.length <= MAX_CODE ? text : `${text.slice(0, MAX_CODE)}…`).toWellFormed();
  const longest = Math.max(0, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${content}\n${fence}\n`;
}
