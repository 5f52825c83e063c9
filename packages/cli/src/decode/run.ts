import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { Fault } from "@recourse/faults";
import { DIALECTS, type EncodeContext } from "@recourse/faults/dialects";
import { stringAt } from "@recourse/wire";
import type { CliFailure, CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { shellWord } from "../terminal/shell.ts";
import { createProgress, createTerminal, progressMode } from "../terminal/terminal.ts";
import { failureInBlock, failureInValue, loggedMessages } from "./failures.ts";
import { incidentInText, incidentsInValue, timeInValue } from "./incidents.ts";
import { readLogTime, splitPrefix } from "./line-prefix.ts";
import { blocksIn, chunksUntilAborted, type LogBlock, looksLikeJson, readLogLines, valueInBlock } from "./read-log.ts";
import { writeGroup, writeSummary } from "./summary.ts";
import { createTally, type FailureTally, type LogSummary, type SkipReason } from "./tally.ts";

/** A dialect that failures can be written in. */
export type TargetDialect = keyof typeof DIALECTS;

/** How often the progress is shown. */
const PROGRESS_MS = 250;

/** `recourse decode`. */
export async function runDecode({ positionals, options }: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [file, ...more] = positionals;
  if (more.length > 0)
    return { failure: usageFailure("Name one file, or none to read standard input.", "recourse decode --help") };
  const tally = createTally(file === undefined || file === "-" ? undefined : shellWord(file));
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
  const write: WriteFailure = (fault, body, context) => {
    if (to === undefined) return;
    const encode: (fault: Fault, context?: EncodeContext) => unknown = DIALECTS[to].encode;
    io.stdout.write(`${JSON.stringify(rewritten(body, encode(fault, context)))}\n`);
  };
  try {
    for await (const block of blocksIn(readLogLines(chunksUntilAborted(source, io.signal)))) {
      tally.addLines(block.count, countBlock(block, tally, write));
      if (io.now() - shownAt < PROGRESS_MS) continue;
      shownAt = io.now();
      const { lines, failures } = tally.summary();
      progress.step(`${lines} lines, ${failures} failures`);
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

/** Writes a failure in another dialect, if that was asked for. */
type WriteFailure = (fault: Fault, body: Readonly<Record<string, unknown>>, context?: EncodeContext) => void;

/** Counts what is in a block. Returns why it is skipped, if there is nothing in it. */
function countBlock(block: LogBlock, tally: FailureTally, write: WriteFailure): "understood" | SkipReason {
  if (block.cut) return "tooLong";
  const { stamp } = splitPrefix(block.texts[0] ?? "");
  const logged = incidentInText(block.texts);
  if (logged !== undefined) {
    if (tally.addIncident(logged, readLogTime(stamp)) && logged.fault !== undefined) write(logged.fault, {});
    return "understood";
  }
  const found = valueInBlock(block);
  const at = found === undefined ? undefined : (readLogTime(stamp) ?? timeInValue(found.value));
  if (found !== undefined && countJsonValue(found.value, at, { tally, write })) return "understood";
  const failure = (found?.isWhole === true ? failureInValue(found.value) : undefined) ?? failureInBlock(block);
  if (failure !== undefined) {
    tally.addText(failure, { at: at ?? readLogTime(stamp), upstream: stringAt(found?.value, "upstream") });
    if (failure.fault !== undefined) write(failure.fault, {});
    return "understood";
  }
  if (found?.isWhole === true) return "json";
  return looksLikeJson(block.texts[0] ?? "") ? "malformed" : "text";
}

function countJsonValue(
  value: unknown,
  at: string | undefined,
  { tally, write }: { readonly tally: FailureTally; readonly write: WriteFailure },
): boolean {
  // An incident of a gateway may hold the upstream's own record: that is the same failure.
  const [incident] = incidentsInValue(value);
  if (incident !== undefined) {
    if (tally.addIncident(incident, at) && incident.fault !== undefined) write(incident.fault, {});
    return true;
  }
  let any = false;
  for (const message of loggedMessages(value)) {
    any = true;
    const added = tally.addMessage(message, at);
    if (added?.failure.fault !== undefined) write(added.failure.fault, message.body, added);
  }
  return any;
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
