import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import type { Fault } from "@recourse/faults";
import { closient, type EncodeContext, erlmcp, http, mcp, onx, platica, qaqnuz } from "@recourse/faults/dialects";
import type { CommandFailure, Given, Outcome } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import { writeJson } from "../program/write-json.ts";
import { createProgress, progressMode } from "../terminal/progress.ts";
import { terminalOf } from "../terminal/terminal.ts";
import { linesOf } from "./lines.ts";
import { messagesIn } from "./messages.ts";
import { createTally, type Summary, type Tally } from "./tally.ts";
import type { TargetDialect } from "./targets.ts";
import { untilAborted } from "./until-aborted.ts";
import { valuesIn } from "./values.ts";
import { writeGroup, writeSummary } from "./write-summary.ts";

const ENCODERS = {
  mcp: mcp.encode,
  http: http.encode,
  closient: closient.encode,
  onx: onx.encode,
  erlmcp: erlmcp.encode,
  qaqnuz: qaqnuz.encode,
  platica: platica.encode,
} as const satisfies Record<TargetDialect, (fault: Fault, context?: EncodeContext) => unknown>;

/** How often the progress is shown. */
const PROGRESS_MS = 250;

/** `recourse decode`. */
export async function runDecode({ positionals, options }: Given, io: Io): Promise<Outcome> {
  const [file, ...more] = positionals;
  if (more.length > 0) return refuse("Name one file, or none to read standard input.", "recourse decode --help");
  const tally = createTally();
  const to = options["to"] as TargetDialect | undefined;
  const failed = await readAll(file, { tally, io, options, ...(to === undefined ? {} : { to }) });
  if (failed !== undefined) return { failure: failed };
  // The failures themselves are the result then.
  return to === undefined ? report(tally.summary(), { options, io }) : { exit: "ok" };
}

interface Reading {
  readonly tally: Tally;
  readonly io: Io;
  readonly options: Given["options"];
  readonly to?: TargetDialect;
}

async function readAll(
  file: string | undefined,
  { tally, io, options, to }: Reading,
): Promise<CommandFailure | undefined> {
  const isPipe = file === undefined || file === "-";
  if (isPipe && io.stdin.isTTY === true && options["quiet"] !== true)
    io.stderr.write("Paste messages or lines of a log, then press Ctrl-D (on Windows Ctrl-Z and Enter).\n");
  const progress = createProgress(io.stderr, progressMode(io.stderr, options));
  const source = isPipe ? io.stdin : createReadStream(resolve(io.cwd, file));
  let shownAt = io.now();
  try {
    for await (const found of valuesIn(linesOf(untilAborted(source, io.signal)))) {
      if (found.type === "unreadable") tally.unreadable();
      if (found.type !== "value") continue;
      for (const message of messagesIn(found.value)) {
        const added = tally.add(message);
        if (to !== undefined && added?.failure.fault !== undefined)
          io.stdout.write(`${JSON.stringify(rewritten(message.body, ENCODERS[to](added.failure.fault, added)))}\n`);
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

function report(summary: Summary, { options, io }: Pick<Reading, "options" | "io">): Outcome {
  const terminal = terminalOf(io.stdout, io.env, options);
  const asked = options["fingerprint"];
  const json = options["json"] === true;
  if (typeof asked !== "string") {
    if (json) writeJson(io.stdout, summary);
    else io.stdout.write(writeSummary(summary, terminal));
    return { exit: "ok" };
  }
  const [group, ...others] = summary.groups.filter(({ fingerprint }) => fingerprint.startsWith(asked.toLowerCase()));
  if (group === undefined) return refuse("No group has this fingerprint.", "recourse decode < file");
  if (others.length > 0)
    return refuse(`${others.length + 1} groups have this fingerprint: give more digits.`, "recourse decode < file");
  if (json) writeJson(io.stdout, group);
  else io.stdout.write(writeGroup(group, terminal));
  return { exit: "ok" };
}

function refuse(message: string, fix: string): Outcome {
  return { failure: { exit: "usage", code: "usage", message, fix } };
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}
