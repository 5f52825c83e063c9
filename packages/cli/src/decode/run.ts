import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { Fault } from "@recourse/faults";
import { DIALECTS, type EncodeContext } from "@recourse/faults/dialects";
import type { CliFailure, CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { padTo, wrapText } from "../terminal/layout.ts";
import { createProgress, createTerminal, progressMode, type Terminal } from "../terminal/terminal.ts";
import { plural } from "../terminal/wording.ts";
import { loggedMessages } from "./failures.ts";
import { chunksUntilAborted, readLogLines, valuesIn } from "./read-log.ts";
import { createTally, type FailureGroup, type FailureTally, type LogSummary, TALLY_LIMITS } from "./tally.ts";

/** A dialect that failures can be written in. */
export type TargetDialect = keyof typeof DIALECTS;

/** How often the progress is shown. */
const PROGRESS_MS = 250;

/** `recourse decode`. */
export async function runDecode({ positionals, options }: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [file, ...more] = positionals;
  if (more.length > 0)
    return { failure: usageFailure("Name one file, or none to read standard input.", "recourse decode --help") };
  const tally = createTally();
  const to = options["to"] as TargetDialect | undefined;
  const failed = await readLog(file, { tally, io, options, ...(to === undefined ? {} : { to }) });
  if (failed !== undefined) return { failure: failed };
  // The failures themselves are the result then.
  return to === undefined ? writeTally(tally.summary(), { options, io }) : { exit: "ok" };
}

interface LogReading {
  readonly tally: FailureTally;
  readonly io: Io;
  readonly options: ParsedArguments["options"];
  readonly to?: TargetDialect;
}

async function readLog(
  file: string | undefined,
  { tally, io, options, to }: LogReading,
): Promise<CliFailure | undefined> {
  const isPipe = file === undefined || file === "-";
  if (isPipe && io.stdin.isTTY === true && options["quiet"] !== true)
    io.stderr.write("Paste messages or lines of a log, then press Ctrl-D (on Windows Ctrl-Z and Enter).\n");
  const progress = createProgress(io.stderr, progressMode(io.stderr, options));
  const source = isPipe ? io.stdin : createReadStream(resolve(io.cwd, file));
  let shownAt = io.now();
  try {
    for await (const found of valuesIn(readLogLines(chunksUntilAborted(source, io.signal)))) {
      if (found.type === "unreadable") tally.unreadable();
      if (found.type !== "value") continue;
      for (const message of loggedMessages(found.value)) {
        const added = tally.add(message);
        if (to === undefined || added?.failure.fault === undefined) continue;
        const encode: (fault: Fault, context?: EncodeContext) => unknown = DIALECTS[to].encode;
        io.stdout.write(`${JSON.stringify(rewritten(message.body, encode(added.failure.fault, added)))}\n`);
      }
      if (io.now() - shownAt < PROGRESS_MS) continue;
      shownAt = io.now();
      const { messages, failures } = tally.summary();
      progress.step(`${messages} messages, ${failures} failures`);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `The file ${basename(file ?? "-")} cannot be read: ${error.code}.`;
    return { exit: "usage", code: "unreadable", message, fix: "recourse decode --help", cause: error };
  } finally {
    progress.done();
  }
  return undefined;
}

/** The part of the answer that carries the failure, in an answer to the same request. */
function rewritten(body: Readonly<Record<string, unknown>>, wire: unknown): unknown {
  const isMessage = typeof wire === "object" && wire !== null && ("result" in wire || "error" in wire);
  return isMessage ? { jsonrpc: "2.0", ...("id" in body ? { id: body["id"] } : {}), ...wire } : wire;
}

function writeTally(summary: LogSummary, { options, io }: Pick<LogReading, "options" | "io">): CliOutcome {
  const terminal = createTerminal(io.stdout, io.env, options);
  const asked = options["fingerprint"];
  const json = options["json"] === true;
  if (typeof asked !== "string") {
    if (json) writeJson(io.stdout, summary);
    else io.stdout.write(writeSummary(summary, terminal));
    return { exit: "ok" };
  }
  const [group, ...others] = summary.groups.filter(({ fingerprint }) => fingerprint.startsWith(asked.toLowerCase()));
  if (group === undefined) return { failure: usageFailure("No group has this fingerprint.", "recourse decode < file") };
  if (others.length > 0)
    return {
      failure: usageFailure(
        `${others.length + 1} groups have this fingerprint: give more digits.`,
        "recourse decode < file",
      ),
    };
  if (json) writeJson(io.stdout, group);
  else io.stdout.write(writeGroup(group, terminal));
  return { exit: "ok" };
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

/** The groups for a person, the most frequent first. */
export function writeSummary(summary: LogSummary, terminal: Terminal): string {
  const { width, styles } = terminal;
  const { messages, failures, groups } = summary;
  const head = `${plural(messages, "message")}, ${plural(failures, "failure")}${groups.length > 1 ? `, ${groups.length} kinds of them` : ""}`;
  const digits = String(groups[0]?.count ?? 0).length;
  const lines = groups.flatMap((group) => ["", ...groupLines(group, digits, terminal)]);
  const hints = groups.length === 0 ? [] : ["", ...wrapText(NEXT_HINT, { width, indent: "  " }).map(styles.dim)];
  return `\n${wrapText(styles.bold(head), { width, indent: "  " }).join("\n")}\n${[...lines, ...notes(summary, terminal), ...hints].join("\n")}\n\n`;
}

const NEXT_HINT = "--fingerprint <id> shows one group · --to <dialect> writes the failures in another dialect · --json";

function groupLines(group: FailureGroup, digits: number, { width, styles, symbols }: Terminal): string[] {
  const { count, kind, reason, channel, sample, leak, tools, fingerprint } = group;
  const name =
    reason === undefined ? styles.yellow("reads like a failure, says success") : `${styles.bold(kind)}  ${reason}`;
  const first = `  ${String(count).padStart(digits)}  `;
  const indent = " ".repeat(first.length);
  const dot = ` ${symbols.dot} `;
  const facts = [
    ...toolFacts(tools),
    ...(group.repeat === undefined ? [] : [`effect ${group.effect}`, `repeat: ${group.repeat}`]),
  ];
  return [
    ...wrapText(
      [name, reason === undefined ? "" : channel, styles.dim(fingerprint)].filter((one) => one !== "").join("  "),
      { width, indent, first },
    ),
    ...(sample === undefined ? [] : wrapText(`"${singleLine(sample)}"`, { width, indent })),
    ...(leak === undefined
      ? []
      : wrapText(styles.red(`leak: the text shows ${leak}, so it is left out here`), { width, indent })),
    ...(facts.length === 0 ? [] : wrapText(facts.join(dot), { width, indent }).map(styles.dim)),
  ];
}

/** Line breaks and indents of JSON in a text only take room here. Its quotation marks become single ones, so that its end is seen. */
function singleLine(sample: string): string {
  return sample.replaceAll(/(?:\\n|\s)+/g, " ").replaceAll('"', "'");
}

function toolFacts(tools: FailureGroup["tools"]): string[] {
  const [first, ...more] = Object.entries(tools).toSorted(([, a], [, b]) => b - a);
  if (first === undefined) return [];
  return [`tool ${first[0]}${more.length === 0 ? "" : ` and ${more.length} more`}`];
}

/** One group in full. */
export function writeGroup(group: FailureGroup, terminal: Terminal): string {
  const { width, styles } = terminal;
  const tools = Object.entries(group.tools).toSorted(([, a], [, b]) => b - a);
  const facts: (readonly [string, string])[] = [
    ["count", String(group.count)],
    ["channel", group.channel],
    ...(group.dialect === undefined ? [] : [["dialect", group.dialect] as const]),
    ...(group.effect === undefined ? [] : [["effect", group.effect] as const]),
    ...(group.repeat === undefined ? [] : [["repeat", group.repeat] as const]),
    ...(group.leak === undefined ? [] : [["leak", `the text shows ${group.leak}, so it is left out here`] as const]),
    ...(group.sample === undefined ? [] : [["text", group.sample] as const]),
    ...tools.map(([name, count], at) => [at === 0 ? "tools" : "", `${name} (${count})`] as const),
  ];
  const label = Math.max(...facts.map(([name]) => name.length)) + 2;
  const lines = facts.flatMap(([name, value]) =>
    wrapText(value, { width, indent: " ".repeat(label + 2), first: `  ${styles.dim(padTo(name, label))}` }),
  );
  const title = `${styles.bold(group.kind)}  ${group.reason ?? "reads like a failure, says success"}  ${styles.dim(group.fingerprint)}`;
  const next = group.reason === undefined ? [] : ["", `  ${styles.cyan(`recourse explain ${group.reason}`)}`];
  return `\n  ${title}\n\n${[...lines, ...next].join("\n")}\n\n`;
}

/** What was not read or not kept. Silence about it would look like completeness. */
function notes({ ungrouped, unreadable, messages }: LogSummary, { width, styles, symbols }: Terminal): string[] {
  const texts = [
    ...(messages === 0
      ? ["Nothing here is a message of MCP: JSON-RPC, a tool result, an HTTP answer or a recording."]
      : []),
    ...(ungrouped === 0
      ? []
      : [`${plural(ungrouped, "more failure")} of other kinds: only ${TALLY_LIMITS.groups} kinds are kept.`]),
    ...(unreadable === 0 ? [] : [`${plural(unreadable, "line")} could not be read: malformed, or longer than 16 MB.`]),
  ];
  return texts.flatMap((text) => [
    "",
    ...wrapText(styles.yellow(text), { width, indent: "    ", first: `  ${symbols.warning} ` }),
  ]);
}
