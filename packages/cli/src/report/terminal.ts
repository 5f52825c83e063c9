import type { CheckSeverity } from "../checks/check.ts";
import { fixCalls } from "../fixes/fix-calls.ts";
import type { RecordedExchange } from "../recording/recording.ts";
import { cutTo, padTo, visibleWidth, wrapText } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Styles, Terminal } from "../terminal/terminal.ts";
import { listNames, plural } from "../terminal/wording.ts";
import { gotText, sentText } from "./excerpt.ts";
import {
  type CheckReport,
  costTogether,
  countsText,
  coverageText,
  type FindingEntry,
  findingCount,
  groupChecks,
  percent,
  type Report,
  type ReportSections,
  scoreText,
  seconds,
  type UntestedPart,
  untestedCommand,
  untestedNote,
  untestedText,
} from "./report.ts";

/** Options of `terminalReport`. */
interface TerminalOptions {
  readonly terminal: Terminal;
  /** Show the evidence of every finding, and every check that passed or was skipped. @default false */
  readonly verbose?: boolean | undefined;
  /** The file that the whole report was written to. @default none */
  readonly htmlFile?: string | undefined;
}

/** The report for a terminal. Texts of the server cannot command it: control characters are written out. */
export function terminalReport(report: Report, { terminal, verbose = false, htmlFile }: TerminalOptions): string {
  const sections = groupChecks(report);
  const page: TerminalPage = { report, ...terminal, verbose, htmlFile };
  const blocks = [
    [titleLine(page)],
    ...findingBlocks(sections.yours, page),
    ...bySdk(sections.sdk, page),
    listing("known, in your baseline", sections.known, page, ({ reason }) => reason ?? ""),
    listing("forced by another document, not scored", sections.forced, page, ({ reason }) => reason ?? ""),
    listing("not scored: on trial, or for information", sections.unscored, page, ({ message }) => message ?? ""),
    staleLines(page),
    ...report.untested.map((part) => untestedLines(part, page)),
    ...(verbose ? quietChecks(sections, page) : []),
    closingLines(page),
  ];
  const shown = blocks.filter((block) => block.length > 0).map((block) => block.join("\n"));
  return `${shown.join("\n\n")}\n`;
}

interface TerminalPage extends Terminal {
  readonly report: Report;
  readonly verbose: boolean;
  readonly htmlFile: string | undefined;
}

const REPORT_INDENT = "  ";
/** As wide as the longest severity, and a gap. */
const LABEL = 10;
const BELOW = REPORT_INDENT + " ".repeat(LABEL);
/** Code begins at least here. */
const CODE_INDENT = 4;
/** From here on a finding and its message share a line. */
const WIDE_TERMINAL = 100;
/** Lines that a text of the server may take. */
const MAX_QUOTED_LINES = 2;
/** Nothing beyond this many characters of a text is looked at. */
const MAX_QUOTABLE = 1000;

const COLORS = {
  critical: "red",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "cyan",
} as const satisfies Record<CheckSeverity, keyof Styles>;

function titleLine({ report, styles, symbols, width }: TerminalPage): string {
  const { server, transport, revisions, tools, readOnlyTools } = report.target;
  const name = quotable(`${server.name || "Unnamed server"} ${server.version}`.trim());
  const facts = [transport, revisions.join(", "), `${plural(tools, "tool")}, ${readOnlyTools} read-only`];
  const bounded = cutTo(name, width - REPORT_INDENT.length, symbols.ellipsis);
  return wrapText([styles.bold(bounded), ...facts].join(` ${symbols.dot} `), { width, indent: REPORT_INDENT }).join(
    "\n",
  );
}

/** The same code fixes many findings. It is shown with the first of them. */
function findingBlocks(entries: readonly FindingEntry[], page: TerminalPage): string[][] {
  const first = new Map(entries.toReversed().map(({ check }) => [check.fix?.code, check.id]));
  return entries.map((entry) => findingLines(entry, page, first.get(entry.check.fix?.code) === entry.check.id));
}

function findingLines({ check, also }: FindingEntry, page: TerminalPage, withCode: boolean): string[] {
  const { verbose, symbols } = page;
  const details: (readonly [string, string])[] = [];
  const exchange = findEvidence(check, page.report);
  if (exchange !== undefined && (verbose || check.severity !== "low"))
    details.push(["sent", sentText(exchange)], ["got", gotText(exchange)]);
  const lines = [
    ...headline(check, page),
    ...details.flatMap(([name, text]) => detail(name, shortQuote(text, page), page)),
  ];
  if (check.fix !== undefined) lines.push(...detail("fix", check.fix.text, page));
  if (withCode && check.fix?.code !== undefined) lines.push(...codeBlock(check.fix.code, page));
  if (also.length > 0) lines.push(...detail("also", listNames(also.map(({ id }) => id)), page));
  if (check.eras !== undefined && check.eras.length < page.report.target.revisions.length)
    lines.push(...detail("era", `${check.eras.join(", ")} only`, page));
  if (verbose && exchange !== undefined)
    lines.push(
      ...detail("again", `recourse probe --replay ${exchange.id}  ${symbols.dot} recourse explain ${check.id}`, page),
    );
  return lines;
}

/**
 * Code without its imports: a terminal is narrow, and the page of the check has all of it. It is never wrapped, so that it can be
 * copied; long code moves to the left.
 */
function codeBlock(code: string, { width, styles }: TerminalPage): string[] {
  const lines = code.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("import "));
  const room = width - Math.max(...lines.map(visibleWidth));
  const indent = " ".repeat(Math.max(CODE_INDENT, Math.min(BELOW.length + 6, room)));
  return lines.map((line) => indent + styles.cyan(line));
}

/** "critical leak-stack The answer … −40 %", on two lines if the terminal is narrow. */
function headline(check: CheckReport, page: TerminalPage): string[] {
  const { styles, symbols, width } = page;
  const label = styles.bold(styles[COLORS[check.severity]](check.severity));
  const cost = check.cost === undefined ? "" : `${symbols.minus}${percent(check.cost)}`;
  const message = quotable(check.message ?? check.title);
  const name = `${REPORT_INDENT}${padTo(label, LABEL)}${styles.bold(check.id)}`;
  const joined = `${padTo(name, REPORT_INDENT.length + LABEL + 24)}  ${message}`;
  if (width >= WIDE_TERMINAL && visibleWidth(joined) + cost.length + 2 <= width) return [atRight(joined, cost, page)];
  return [atRight(name, cost, page), ...wrapText(message, { width, indent: BELOW })];
}

function atRight(left: string, right: string, { width, styles }: TerminalPage): string {
  if (right === "") return left;
  if (visibleWidth(left) + 1 + visibleWidth(right) > width) return `${left}\n${BELOW}${styles.dim(right)}`;
  // In a very wide terminal the eye loses the line.
  const room = Math.min(width, WIDE_TERMINAL + 20) - visibleWidth(right);
  return `${padTo(left, Math.max(visibleWidth(left) + 1, room))}${styles.dim(right)}`;
}

/** `name  text` below a finding. */
function detail(name: string, text: string, { width, styles }: TerminalPage): string[] {
  const first = `${BELOW}${styles.dim(padTo(name, 6))}`;
  return wrapText(text, { width, indent: BELOW + " ".repeat(6), first });
}

/** A text of the server or for it: one line of printable characters, at most two lines long. */
function shortQuote(text: string, { width, symbols }: TerminalPage): string {
  return cutTo(quotable(text), MAX_QUOTED_LINES * (width - BELOW.length - 6) - 4, symbols.ellipsis);
}

function quotable(text: string): string {
  return printableLine(
    text
      .slice(0, MAX_QUOTABLE)
      .toWellFormed()
      .replaceAll(/\s*\n\s*/g, " "),
  );
}

function findEvidence({ evidence = [] }: CheckReport, { exchanges }: Report): RecordedExchange | undefined {
  return exchanges.find(({ id }) => id === evidence[0]);
}

/** What comes with the SDK, by severity: one line of code fixes most of it. */
function bySdk(entries: readonly FindingEntry[], page: TerminalPage): string[][] {
  if (entries.length === 0) return [];
  const { styles, symbols } = page;
  const together = `${symbols.minus}${percent(costTogether(entries))}`;
  const name = atRight(`${REPORT_INDENT}${styles.bold("comes with your SDK")}`, together, page);
  if (page.verbose) return [[name], ...findingBlocks(entries, page)];
  const groups = Map.groupBy(entries, ({ check }) => check.severity);
  const lines = [...groups].flatMap(([severity, group]) => {
    const each = `${symbols.minus}${percent(group[0]?.check.cost ?? 0)}${group.length > 1 ? " each" : ""}`;
    const ids = group.flatMap(({ check, also }) => [check.id, ...also.map(({ id }) => `(${id})`)]);
    // The cost stays together on one line.
    return wrapText(`${ids.join(", ")}  ${styles.dim(each.replaceAll(" ", "\u00a0"))}`, {
      ...page,
      indent: BELOW,
      first: `${REPORT_INDENT}${padTo(styles[COLORS[severity]](severity), LABEL)}`,
    }).map((line) => line.replaceAll("\u00a0", " "));
  });
  const { transport } = page.report.target;
  const cures = Map.groupBy(entries, ({ check: { fix } }) => {
    return (
      fix && (fixCalls(fix, transport) ?? (fix.gateway === true ? "the gateway in front (recourse init)" : undefined))
    );
  });
  const said = [...cures].flatMap(([calls, cured]) => (calls === undefined ? [] : [`${calls} fixes ${cured.length}`]));
  return [[name, ...lines, ...(said.length > 0 ? detail("fix", said.join(", "), page) : [])]];
}

function listing(
  name: string,
  entries: readonly FindingEntry[],
  page: TerminalPage,
  toText: (check: CheckReport) => string,
): string[] {
  if (entries.length === 0) return [];
  const { styles, width } = page;
  return [
    ...wrapText(styles.bold(name), { width, indent: REPORT_INDENT }),
    ...entries.flatMap(({ check }) =>
      wrapText(`${styles.bold(check.id)}  ${quotable(toText(check))}`, {
        width,
        indent: `${REPORT_INDENT}    `,
        first: `${REPORT_INDENT}  `,
      }),
    ),
  ];
}

function staleLines({ report, width, styles }: TerminalPage): string[] {
  if (report.stale.length === 0) return [];
  return wrapText(`${styles.bold("stale")}  Your baseline lists what passes now; remove: ${report.stale.join(", ")}`, {
    width,
    indent: REPORT_INDENT,
  });
}

/** What was not tested, and the command that tests it. A command is never wrapped, so that it can be copied. */
function untestedLines(part: UntestedPart, page: TerminalPage): string[] {
  const { report, styles, width } = page;
  const costs = report.checks.some(({ id, cost }) => cost !== undefined && part.checks.includes(id));
  const text = [untestedText(part, report), ...(costs ? ["They count as not passed."] : [])].join(" ");
  const command = untestedCommand(part, report);
  const note = untestedNote(part);
  return [
    ...wrapText(`${styles.bold(styles.yellow("not tested"))}  ${quotable(text)}`, { width, indent: REPORT_INDENT }),
    ...(command === undefined ? [] : [`${REPORT_INDENT}  ${styles.cyan(quotable(command))}`]),
    ...(note === undefined ? [] : wrapText(styles.dim(quotable(note)), { width, indent: `${REPORT_INDENT}  ` })),
  ];
}

function quietChecks({ passed, untested, skipped }: ReportSections, page: TerminalPage): string[][] {
  const { styles, width } = page;
  const block = (name: string, checks: readonly CheckReport[], toText: (check: CheckReport) => string) =>
    checks.length === 0
      ? []
      : [
          `${REPORT_INDENT}${styles.bold(name)}`,
          ...checks.flatMap((check) =>
            wrapText(`${check.id}  ${styles.dim(quotable(toText(check)))}`, {
              width,
              indent: `${REPORT_INDENT}    `,
              first: `${REPORT_INDENT}  `,
            }),
          ),
        ];
  return [
    block("passed", passed, ({ title: text }) => text),
    block("not tested", untested, ({ message = "", option }) => (option ? `${message} (${option})` : message)),
    block("not applicable, or left out", skipped, ({ message = "" }) => message),
  ];
}

/** Score and coverage, then one line that says it all. */
function closingLines(page: TerminalPage): string[] {
  const { report, styles, symbols, width, htmlFile } = page;
  const { score, atMost, grade, called, durationMs } = report;
  const dot = ` ${symbols.dot} `;
  const facts = [
    ...(atMost > score
      ? [grade === "?" ? "not graded: too little was tested" : `at most ${atMost} once all is tested`]
      : []),
    coverageText(report),
    `called: ${called.length === 0 ? "no tool" : listNames(called.map(quotable), 6)}`,
    ...(report.interrupted ? ["ended early, findings may be missing"] : []),
  ];
  const count = findingCount(report);
  const summary =
    count === 0
      ? `${styles.green(`${symbols.tick} Nothing found${report.untested.length > 0 ? " in what was tested" : ""}`)}`
      : `${styles.red(`${symbols.cross} ${plural(count, "finding")}`)} (${countsText(report)})`;
  const all =
    htmlFile === undefined ? "Read all of it: add --html report.html" : `All of it is in ${quotable(htmlFile)}`;
  return [
    ...wrapText(`${styles.bold(scoreText(report))}   ${facts.join(dot)}`, { width, indent: REPORT_INDENT }),
    ...wrapText([summary, seconds(durationMs)].join(dot), { width, indent: REPORT_INDENT }),
    ...wrapText(styles.dim(all), { width, indent: REPORT_INDENT }),
  ];
}
