import type { CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { cutTo, layOut, wrapText } from "../terminal/layout.ts";
import { sparkline } from "../terminal/sparkline.ts";
import { createTerminal, type Terminal } from "../terminal/terminal.ts";
import { joinBlocks, plural, spanText } from "../terminal/wording.ts";
import { openAdminClient } from "./client.ts";
import { type CauseStatus, type GatewayStatus, type UpstreamStatus, upstreamTrouble } from "./gateway-status.ts";
import { readStatus } from "./read-status.ts";

/** Upstreams that are shown. Those that do not work come first. */
const MAX_UPSTREAM_LINES = 20;
const MAX_PROBLEM_LINES = 10;

/** Runs `recourse status`. It ends with `findings` if something does not work. */
export async function runStatus(given: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [stray] = given.positionals;
  if (stray !== undefined)
    return { failure: usageFailure("status takes only options.", "recourse status --url <url>") };
  const opened = openAdminClient(given, io);
  if ("failure" in opened) return opened;
  const nowMs = io.now();
  const read = await readStatus(opened.client, nowMs);
  if ("failure" in read) return read;
  if (given.options["json"] === true) writeJson(io.stdout, read.status);
  else io.stdout.write(`${renderStatus(read.status, createTerminal(io.stdout, io.env, given.options), nowMs)}\n`);
  return { exit: read.status.problems.length > 0 ? "findings" : "ok" };
}

/** The status for people. Commands stay on one line, so that they can be copied. */
function renderStatus(status: GatewayStatus, terminal: Terminal, nowMs: number): string {
  return joinBlocks([
    headLines(status, terminal, nowMs),
    statusProblemLines(status, terminal),
    upstreamLines(status, terminal, nowMs),
    partLines(status, terminal),
    hourLines(status, terminal),
    causeLines(status, terminal, nowMs),
    approvalLines(status, terminal, nowMs),
  ]);
}

function headLines(
  { name, version, store, startedAt, address, problems }: GatewayStatus,
  terminal: Terminal,
  nowMs: number,
): string[] {
  const { styles, symbols, width } = terminal;
  const isFine = problems.length === 0;
  const mark = isFine ? styles.green(symbols.tick) : styles.red(symbols.cross);
  const state = isFine ? "works" : `has ${plural(problems.length, "problem")}`;
  const facts = [
    version,
    `store ${store}`,
    ...(startedAt === undefined ? [] : [`up for ${spanText(nowMs - Date.parse(startedAt))}`]),
    address,
  ];
  return [
    `${mark} ${styles.bold(`${name} ${state}`)}`,
    ...wrapText(facts.join(` ${symbols.dot} `), { width, indent: "  " }).map((line) => styles.dim(line)),
  ];
}

function statusProblemLines({ problems, notes }: GatewayStatus, { styles, symbols, width }: Terminal): string[] {
  const shown = problems
    .slice(0, MAX_PROBLEM_LINES)
    .flatMap(({ message, next }) => [
      ...wrapText(message, { width, indent: "    ", first: `  ${styles.red(symbols.cross)} ` }),
      ...(next === undefined ? [] : [`    ${styles.dim(symbols.arrow)} ${styles.bold(next)}`]),
    ]);
  const more = problems.length - MAX_PROBLEM_LINES;
  return [
    ...shown,
    ...(more > 0 ? [`    and ${plural(more, "more problem")}: recourse status --json`] : []),
    ...notes.flatMap((note) => wrapText(note, { width, indent: "    ", first: `  ${styles.yellow(symbols.info)} ` })),
  ];
}

function upstreamLines({ upstreams }: GatewayStatus, terminal: Terminal, nowMs: number): string[] {
  if (upstreams === undefined) return [];
  const { styles, width } = terminal;
  const sorted = upstreams.toSorted((one, other) => Number(one.isUp) - Number(other.isUp));
  const shown = sorted.slice(0, MAX_UPSTREAM_LINES);
  const rows = shown.map((one) => upstreamRow(one, terminal, nowMs));
  const more = sorted.length - shown.length;
  return [
    styles.bold("Upstreams"),
    ...layOut(rows, { width }),
    ...(more > 0 ? [`  and ${plural(more, "more upstream")}: recourse status --json`] : []),
  ];
}

function upstreamRow(one: UpstreamStatus, { styles, symbols }: Terminal, nowMs: number): string[] {
  const { upstream, isUp, tools, requests, failures, breaker, lastFailure } = one;
  const mark = isUp ? styles.green(symbols.tick) : styles.red(symbols.cross);
  const state = isUp ? (breaker === "half-open" ? "its breaker lets one call try" : "") : upstreamTrouble(one, nowMs);
  const last =
    lastFailure === undefined
      ? ""
      : `last failure ${spanText(nowMs - Date.parse(lastFailure.at))} ago: ${lastFailure.reason}`;
  const counts = `${plural(tools, "tool")}, ${plural(requests, "request")}, ${failures.toLocaleString("en-US")} failed`;
  return [mark, upstream, [state, counts, last].filter((text) => text !== "").join("; ")];
}

function partLines({ parts }: GatewayStatus, { styles, symbols, width }: Terminal): string[] {
  const named = (state: string) => Object.keys(parts).filter((name) => parts[name] === state);
  const rows = [
    [styles.red(symbols.cross), named("away").join(", "), "down"],
    [styles.green(symbols.tick), named("works").join(", "), "up"],
    [styles.dim(symbols.minus), named("off").join(", "), "not used"],
  ].filter(([, names]) => names !== "");
  return rows.length === 0
    ? []
    : [
        styles.bold("Parts"),
        ...layOut(
          rows.map(([mark = "", names = "", state = ""]) => [mark, state, names]),
          { width },
        ),
      ];
}

function hourLines({ lastHour }: GatewayStatus, terminal: Terminal): string[] {
  if (lastHour === undefined) return [];
  const { styles, width } = terminal;
  const { requests, failures, requestCounts, failureCounts } = lastHour;
  const row = (counts: readonly number[], paint: (text: string) => string, text: string) => [
    paint(sparkline(fitCounts(counts, width), terminal)),
    text,
  ];
  return [
    styles.bold("Requests of the last hour"),
    ...layOut(
      [
        row(requestCounts, styles.cyan, plural(requests, "request")),
        row(failureCounts, failures > 0 ? styles.red : styles.dim, `${failures.toLocaleString("en-US")} failed`),
      ],
      { width },
    ),
  ];
}

/** A narrow terminal gets half of the bars, each for twice the time. */
function fitCounts(counts: readonly number[], width: number): readonly number[] {
  if (width >= 70) return counts;
  return counts.flatMap((count, at) => (at % 2 === 0 ? [count + (counts[at + 1] ?? 0)] : []));
}

function causeLines({ causes }: GatewayStatus, terminal: Terminal, nowMs: number): string[] {
  if (causes === undefined) return [];
  const { styles, width } = terminal;
  if (causes.length === 0) return [styles.bold("Causes of the last hour"), "  No incidents."];
  const widest = Math.max(...causes.map(({ count }) => count.toLocaleString("en-US").length));
  return [
    styles.bold("Causes of the last hour"),
    ...causes.flatMap((cause) => causeBlock(cause, { terminal, widest, nowMs, width })),
  ];
}

interface CauseLayout {
  readonly terminal: Terminal;
  /** Columns of the longest count. */
  readonly widest: number;
  readonly nowMs: number;
  readonly width: number;
}

function causeBlock(cause: CauseStatus, { terminal, widest, nowMs, width }: CauseLayout): string[] {
  const { styles, symbols } = terminal;
  const { reason, count, tool, upstream, message, lastSeen, counts, next } = cause;
  const indent = " ".repeat(4 + widest);
  const place = tool ?? (upstream === undefined ? "" : `upstream ${upstream}`);
  const ago = lastSeen === "" ? "" : `${spanText(nowMs - Date.parse(lastSeen))} ago`;
  const head = [styles.bold(reason), place, ago].filter((text) => text !== "").join(` ${symbols.dot} `);
  return [
    ...wrapText(head, { width, indent, first: `  ${styles.bold(count.toLocaleString("en-US").padStart(widest))}  ` }),
    `${indent}${styles.red(sparkline(fitCounts(counts, width), terminal))}`,
    ...(message === ""
      ? []
      : [`${indent}${styles.dim(cutTo(message, Math.max(20, width - indent.length), symbols.ellipsis))}`]),
    ...next.map((line) => `${indent}${styles.dim(symbols.arrow)} ${styles.bold(line)}`),
  ];
}

function approvalLines({ approvals }: GatewayStatus, { styles, symbols, width }: Terminal, nowMs: number): string[] {
  if (approvals === undefined || approvals.waiting === 0) return [];
  const { waiting, hasMore, firstExpiresAt } = approvals;
  const count = `${waiting}${hasMore ? " or more" : ""} ${waiting === 1 && !hasMore ? "call waits" : "calls wait"}`;
  const first =
    firstExpiresAt === undefined ? "" : `; ${spanText(Date.parse(firstExpiresAt) - nowMs)} left for the first`;
  return [
    styles.bold("Approvals"),
    ...wrapText(`${count} for a decision${first}`, {
      width,
      indent: "    ",
      first: `  ${styles.yellow(symbols.warning)} `,
    }),
    `    ${styles.dim(symbols.arrow)} ${styles.bold("recourse approvals")}`,
  ];
}
