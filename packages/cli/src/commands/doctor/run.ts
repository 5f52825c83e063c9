import { toLine } from "@recourse/faults/internal-do-not-use";
import { diagnoseHttp } from "../../doctor/diagnose-http.ts";
import { diagnoseProgram } from "../../doctor/diagnose-program.ts";
import { type Diagnosis, mapTexts, weightOf } from "../../doctor/diagnosis.ts";
import type { DoctorContext } from "../../doctor/journal.ts";
import { DOCTOR_WAITS, type DoctorWaits } from "../../doctor/waits.ts";
import type { Given, Outcome } from "../../program/command.ts";
import type { Io } from "../../program/io.ts";
import { writeJson } from "../../program/write-json.ts";
import { createProgress, progressMode } from "../../terminal/progress.ts";
import { terminalOf } from "../../terminal/terminal.ts";
import { type DoctorTarget, readTarget } from "./target.ts";
import { stepText, verdictText } from "./text.ts";

const MAX_LINE = 1_000;

/** Runs `recourse doctor`. `waits` replaces some of its waits. */
export async function runDoctor(given: Given, io: Io, waits: Partial<DoctorWaits> = {}): Promise<Outcome> {
  const read = readTarget(given, io);
  if ("exit" in read) return { failure: read };
  const json = given.options["json"] === true;
  const terminal = terminalOf(io.stdout, io.env, given.options);
  const progress = createProgress(io.stderr, progressMode(io.stderr, given.options));
  // Before a text is cut or wrapped: half a secret would not be recognised any more.
  const { clean = (text) => text } = io;
  const context: DoctorContext = {
    timeoutMs: read.timeoutMs,
    waits: { ...DOCTOR_WAITS, ...waits },
    signal: io.signal,
    now: io.now,
    clean,
    onStep: (step) => {
      progress.done();
      if (!json) io.stdout.write(stepText({ ...step, text: printed(step.text) }, terminal));
    },
    onProgress: progress.step,
    ...(given.options["verbose"] === true && {
      onStderrLine: (line: string) => io.stderr.write(`stderr: ${printed(clean(line))}\n`),
    }),
  };
  try {
    const diagnosis = mapTexts(await diagnose(read.target, context), (text) => printed(clean(text)));
    progress.done();
    if (json) writeJson(io.stdout, diagnosis);
    else io.stdout.write(verdictText(diagnosis, terminal));
    return { exit: exitOf(diagnosis) };
  } finally {
    progress.done();
  }
}

function diagnose(target: DoctorTarget["target"], context: DoctorContext): Promise<Diagnosis> {
  return target.transport === "http" ? diagnoseHttp(target, context) : diagnoseProgram(target, context);
}

function exitOf({ cause }: Diagnosis): "ok" | "findings" | "credentials" {
  if (cause === null) return "ok";
  return weightOf(cause.id) === "credentials" ? "credentials" : "findings";
}

/** Text without anything that moves a cursor or reorders a line. Line breaks of our own stay. */
function printed(text: string): string {
  return text
    .split("\n")
    .map((line) => toLine(line, MAX_LINE))
    .join("\n");
}
