import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { Fault } from "@recourse/core";
import { DIALECTS, type EncodeContext } from "@recourse/core/dialects";
import { type CountedFault, type FailureTally, groupFailures } from "@recourse/explain";
import type { CliFailure, CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { shellWord } from "../terminal/shell.ts";
import { createProgress, createTerminal, progressMode } from "../terminal/terminal.ts";
import { describeLog, type LogSummary } from "./failure-group.ts";
import { chunksUntilAborted, readLogLines } from "./read-log.ts";
import { writeGroup, writeSummary } from "./summary.ts";

/** A dialect that failures can be written in. */
export type TargetDialect = keyof typeof DIALECTS;

/** How often the progress is shown. */
const PROGRESS_MS = 250;

/** `recourse decode`. */
export async function runDecode({ positionals, options }: ParsedArguments, io: Io): Promise<CliOutcome> {
  const [file, ...more] = positionals;
  if (more.length > 0)
    return { failure: usageFailure("Name one file, or none to read standard input.", "recourse decode --help") };
  const to = options["to"] as TargetDialect | undefined;
  const read = await readLog(file, { io, options, ...(to === undefined ? {} : { to }) });
  if ("failure" in read) return read;
  // The failures themselves are the result then.
  if (to !== undefined) return { exit: "ok" };
  const named = file === undefined || file === "-" ? undefined : shellWord(file);
  return writeTally(describeLog(read.tally, named), { options, io });
}

interface LogReading {
  readonly io: Io;
  readonly options: ParsedArguments["options"];
  readonly to?: TargetDialect;
}

async function readLog(
  file: string | undefined,
  { io, options, to }: LogReading,
): Promise<{ readonly tally: FailureTally } | { readonly failure: CliFailure }> {
  const isPipe = file === undefined || file === "-";
  if (isPipe && io.stdin.isTTY === true && options["quiet"] !== true)
    io.stderr.write("Paste messages or lines of a log, then press Ctrl-D (on Windows Ctrl-Z and Enter).\n");
  const progress = createProgress(io.stderr, progressMode(io.stderr, options));
  const source = isPipe ? io.stdin : createReadStream(resolve(io.cwd, file));
  let shownAt = io.now();
  const write = ({ fault, body = {}, ...context }: CountedFault) => {
    if (to === undefined) return;
    const encode: (fault: Fault, context?: EncodeContext) => unknown = DIALECTS[to].encode;
    io.stdout.write(`${JSON.stringify(rewritten(body, encode(fault, context)))}\n`);
  };
  try {
    const tally = await groupFailures(readLogLines(chunksUntilAborted(source, io.signal)), {
      onFault: write,
      onProgress: ({ lines, failures }) => {
        if (io.now() - shownAt < PROGRESS_MS) return;
        shownAt = io.now();
        progress.step(`${lines} lines, ${failures} failures`);
      },
    });
    return { tally };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `The file ${basename(file ?? "-")} cannot be read: ${error.code}.`;
    return { failure: { exit: "usage", code: "unreadable", message, fix: "recourse decode --help", cause: error } };
  } finally {
    progress.done();
  }
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
