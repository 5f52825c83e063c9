import type { Severity } from "../checks/check.ts";
import type { Exchange } from "../recording/recording.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Styles } from "../terminal/styles.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { cutTo, padTo, visibleWidth } from "../terminal/width.ts";
import { wrap } from "../terminal/wrap.ts";
import { callsOf } from "./calls.ts";
import { gotText, sentText } from "./excerpt.ts";
import type { CheckReport, Report } from "./report.ts";
import {
  costTogether,
  countsText,
  type FindingEntry,
  findingCount,
  listed,
  percent,
  plural,
  type Sections,
  seconds,
  sectionsOf,
} from "./sections.ts";

/** Options of `terminalReport`. */
export interface TerminalOptions {
  readonly terminal: Terminal;
  /** Show the evidence of every finding, and every check that passed or was skipped. @default false */
  readonly verbose?: boolean | undefined;
  /** The file that the whole report was written to. @default none */
  readonly htmlFile?: string | undefined;
}

/** The report for a terminal. Texts of the server cannot command it: control characters are written out. */
export function terminalReport(report: Report, { terminal, verbose = false, htmlFile }: TerminalOptions): string {
  const sections = sectionsOf(report);
  const page: Page = { report, ...terminal, verbose, htmlFile };
  const blocks = [
    [title(page)],
    ...findings(sections.yours, page),
    ...bySdk(sections.sdk, page),
    listing("known, in your baseline", sections.known, page, ({ reason }) => reason ?? ""),
    listing("forced by another document, not scored", sections.forced, page, ({ reason }) => reason ?? ""),
    listing("not scored: on trial, or for information", sections.unscored, page, ({ message }) => message ?? ""),
    stale(page),
    ...(verbose ? quietChecks(sections, page) : []),
    closing(sections, page),
  ];
  const shown = blocks.filter((block) => block.length > 0).map((block) => block.join("\n"));
  return `${shown.join("\n\n")}\n`;
}

interface Page extends Terminal {
  readonly report: Report;
  readonly verbose: boolean;
  readonly htmlFile: string | undefined;
}

const INDENT = "  ";
/** As wide as the longest severity, and a gap. */
const LABEL = 10;
const BELOW = INDENT + " ".repeat(LABEL);
/** Code begins at least here. */
const CODE_INDENT = 4;
/** From here on a finding and its message share a line. */
const WIDE = 100;
/** Lines that a text of the server may take. */
const MAX_LINES = 2;
/** Nothing beyond this many characters of a text is looked at. */
const MAX_TEXT = 1000;

const COLORS = {
  critical: "red",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "cyan",
} as const satisfies Record<Severity, keyof Styles>;

function title({ report, styles, symbols, width }: Page): string {
  const { server, transport, revisions, tools, readOnlyTools } = report.target;
  const name = quotable(`${server.name || "Unnamed server"} ${server.version}`.trim());
  const facts = [transport, revisions.join(", "), `${plural(tools, "tool")}, ${readOnlyTools} read-only`];
  const bounded = cutTo(name, width - INDENT.length, symbols.ellipsis);
  return wrap([styles.bold(bounded), ...facts].join(` ${symbols.dot} `), { width, indent: INDENT }).join("\n");
}

/** The same code mends many findings. It is shown with the first of them. */
function findings(entries: readonly FindingEntry[], page: Page): string[][] {
  const first = new Map(entries.toReversed().map(({ check }) => [check.fix?.code, check.id]));
  return entries.map((entry) => finding(entry, page, first.get(entry.check.fix?.code) === entry.check.id));
}

function finding({ check, also }: FindingEntry, page: Page, withCode: boolean): string[] {
  const { verbose, symbols } = page;
  const details: (readonly [string, string])[] = [];
  const exchange = evidenceOf(check, page.report);
  if (exchange !== undefined && (verbose || check.severity !== "low"))
    details.push(["sent", sentText(exchange)], ["got", gotText(exchange)]);
  const lines = [
    ...headline(check, page),
    ...details.flatMap(([name, text]) => detail(name, quoted(text, page), page)),
  ];
  if (check.fix !== undefined) lines.push(...detail("fix", check.fix.text, page));
  if (withCode && check.fix?.code !== undefined) lines.push(...codeBlock(check.fix.code, page));
  if (also.length > 0) lines.push(...detail("also", listed(also.map(({ id }) => id)), page));
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
function codeBlock(code: string, { width, styles }: Page): string[] {
  const lines = code.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("import "));
  const room = width - Math.max(...lines.map(visibleWidth));
  const indent = " ".repeat(Math.max(CODE_INDENT, Math.min(BELOW.length + 6, room)));
  return lines.map((line) => indent + styles.cyan(line));
}

/** "critical  leak-stack  The answer …  −40 %", on two lines where the terminal is narrow. */
function headline(check: CheckReport, page: Page): string[] {
  const { styles, symbols, width } = page;
  const label = styles.bold(styles[COLORS[check.severity]](check.severity));
  const cost = check.cost === undefined ? "" : `${symbols.minus}${percent(check.cost)}`;
  const message = quotable(check.message ?? check.title);
  const name = `${INDENT}${padTo(label, LABEL)}${styles.bold(check.id)}`;
  const joined = `${padTo(name, INDENT.length + LABEL + 24)}  ${message}`;
  if (width >= WIDE && visibleWidth(joined) + cost.length + 2 <= width) return [atRight(joined, cost, page)];
  return [atRight(name, cost, page), ...wrap(message, { width, indent: BELOW })];
}

function atRight(left: string, right: string, { width, styles }: Page): string {
  if (right === "") return left;
  if (visibleWidth(left) + 1 + visibleWidth(right) > width) return `${left}\n${BELOW}${styles.dim(right)}`;
  // In a very wide terminal the eye loses the line.
  const room = Math.min(width, WIDE + 20) - visibleWidth(right);
  return `${padTo(left, Math.max(visibleWidth(left) + 1, room))}${styles.dim(right)}`;
}

/** `name  text` below a finding. */
function detail(name: string, text: string, { width, styles }: Page): string[] {
  const first = `${BELOW}${styles.dim(padTo(name, 6))}`;
  return wrap(text, { width, indent: BELOW + " ".repeat(6), first });
}

/** A text of the server or for it: one line of printable characters, at most two lines long. */
function quoted(text: string, { width, symbols }: Page): string {
  return cutTo(quotable(text), MAX_LINES * (width - BELOW.length - 6) - 4, symbols.ellipsis);
}

function quotable(text: string): string {
  return printableLine(
    text
      .slice(0, MAX_TEXT)
      .toWellFormed()
      .replaceAll(/\s*\n\s*/g, " "),
  );
}

function evidenceOf({ evidence = [] }: CheckReport, { exchanges }: Report): Exchange | undefined {
  return exchanges.find(({ id }) => id === evidence[0]);
}

/** What comes with the SDK, by severity: one line of code mends most of it. */
function bySdk(entries: readonly FindingEntry[], page: Page): string[][] {
  if (entries.length === 0) return [];
  const { styles, symbols } = page;
  const together = `${symbols.minus}${percent(costTogether(entries))}`;
  const name = atRight(`${INDENT}${styles.bold("comes with your SDK")}`, together, page);
  if (page.verbose) return [[name], ...findings(entries, page)];
  const groups = Map.groupBy(entries, ({ check }) => check.severity);
  const lines = [...groups].flatMap(([severity, group]) => {
    const each = `${symbols.minus}${percent(group[0]?.check.cost ?? 0)}${group.length > 1 ? " each" : ""}`;
    const ids = group.flatMap(({ check, also }) => [check.id, ...also.map(({ id }) => `(${id})`)]);
    return wrap(`${ids.join(", ")}  ${styles.dim(each)}`, {
      ...page,
      indent: BELOW,
      first: `${INDENT}${padTo(styles[COLORS[severity]](severity), LABEL)}`,
    });
  });
  const { transport } = page.report.target;
  const cures = Map.groupBy(entries, ({ check }) => check.fix && callsOf(check.fix, transport));
  const said = [...cures].flatMap(([calls, cured]) => (calls === undefined ? [] : [`${calls} mends ${cured.length}`]));
  return [[name, ...lines, ...(said.length > 0 ? detail("fix", said.join(", "), page) : [])]];
}

function listing(
  name: string,
  entries: readonly FindingEntry[],
  page: Page,
  textOf: (check: CheckReport) => string,
): string[] {
  if (entries.length === 0) return [];
  const { styles, width } = page;
  return [
    ...wrap(styles.bold(name), { width, indent: INDENT }),
    ...entries.flatMap(({ check }) =>
      wrap(`${styles.bold(check.id)}  ${quotable(textOf(check))}`, {
        width,
        indent: `${INDENT}    `,
        first: `${INDENT}  `,
      }),
    ),
  ];
}

function stale({ report, width, styles }: Page): string[] {
  if (report.stale.length === 0) return [];
  return wrap(`${styles.bold("stale")}  Your baseline lists what passes now; remove: ${report.stale.join(", ")}`, {
    width,
    indent: INDENT,
  });
}

function quietChecks({ passed, skipped }: Sections, page: Page): string[][] {
  const { styles, width } = page;
  const block = (name: string, checks: readonly CheckReport[], textOf: (check: CheckReport) => string) =>
    checks.length === 0
      ? []
      : [
          `${INDENT}${styles.bold(name)}`,
          ...checks.flatMap((check) =>
            wrap(`${check.id}  ${styles.dim(quotable(textOf(check)))}`, {
              width,
              indent: `${INDENT}    `,
              first: `${INDENT}  `,
            }),
          ),
        ];
  return [
    block("passed", passed, ({ title: text }) => text),
    block("not applicable", skipped, ({ message = "" }) => message),
  ];
}

/** Score and coverage, then one line that says it all. */
function closing({ skipped }: Sections, page: Page): string[] {
  const { report, styles, symbols, width, htmlFile } = page;
  const { score, grade, coverage, checks, called, durationMs } = report;
  const dot = ` ${symbols.dot} `;
  const unseen = [...new Set(skipped.map(({ category }) => category))].filter((category) =>
    checks.every((check) => check.category !== category || check.state === "skipped"),
  );
  const facts = [
    `${coverage.applied} of ${coverage.of} checks applied`,
    ...(unseen.length > 0 ? [`${unseen.join(", ")}: nothing to look at`] : []),
    `called: ${called.length === 0 ? "no tool" : listed(called.map(quotable), 6)}`,
    ...(report.interrupted ? ["ended early, findings may be missing"] : []),
  ];
  const count = findingCount(report);
  const summary =
    count === 0
      ? `${styles.green(`${symbols.tick} Nothing found`)}`
      : `${styles.red(`${symbols.cross} ${plural(count, "finding")}`)} (${countsText(report)})`;
  const all =
    htmlFile === undefined ? "Read all of it: add --html report.html" : `All of it is in ${quotable(htmlFile)}`;
  return [
    ...wrap(`${styles.bold(`${score} ${grade}`)}   ${facts.join(dot)}`, { width, indent: INDENT }),
    ...wrap([summary, seconds(durationMs)].join(dot), { width, indent: INDENT }),
    ...wrap(styles.dim(all), { width, indent: INDENT }),
  ];
}
