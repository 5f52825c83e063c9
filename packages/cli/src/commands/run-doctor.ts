import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { hostEnvironment } from "@recourse/core/node";
import { diagnoseHttp, type HttpTarget } from "../doctor/diagnose-http.ts";
import { diagnoseProgram, type ProgramTarget } from "../doctor/diagnose-program.ts";
import {
  causeWeight,
  type Diagnosis,
  DOCTOR_WAITS,
  type DoctorContext,
  type DoctorWaits,
  mapTexts,
} from "../doctor/diagnosis.ts";
import { findProxy } from "../doctor/proxy.ts";
import type { CliFailure, CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { writeJson } from "../program/output.ts";
import { basicCredentials, isAddress, isConfigFile } from "../program/secrets.ts";
import { createProgress, createTerminal, progressMode } from "../terminal/terminal.ts";
import { doctorUsage, readPairs, readTimeout } from "./doctor-options.ts";
import { printableLines, stepText, verdictText } from "./doctor-text.ts";
import { runDoctorOnFiles } from "./run-doctor-files.ts";

/** Runs `recourse doctor`. `waits` replaces some of its waits. */
export async function runDoctor(given: ParsedArguments, io: Io, waits: Partial<DoctorWaits> = {}): Promise<CliOutcome> {
  const [first] = given.positionals;
  if (first === undefined || given.options["host"] !== undefined || isConfigFile(first))
    return runDoctorOnFiles(given, io, waits);
  const read = readTarget(given, io);
  if ("exit" in read) return { failure: read };
  const json = given.options["json"] === true;
  const terminal = createTerminal(io.stdout, io.env, given.options);
  const progress = createProgress(io.stderr, progressMode(io.stderr, given.options));
  // Before a text is cut or wrapped: half a secret would not be recognised any more.
  const { clean = (text) => text } = io;
  const context: DoctorContext = {
    timeoutMs: read.timeoutMs,
    waits: { ...DOCTOR_WAITS, ...waits },
    signal: io.signal,
    now: io.now,
    createId: randomUUID,
    clean,
    onStep: (step) => {
      progress.done();
      if (!json) io.stdout.write(stepText({ ...step, text: printableLines(step.text) }, terminal));
    },
    onProgress: progress.step,
    ...(given.options["verbose"] === true && {
      onStderrLine: (line: string) => io.stderr.write(`stderr: ${printableLines(clean(line))}\n`),
    }),
  };
  try {
    const diagnosis = mapTexts(await diagnose(read.target, context), (text) => printableLines(clean(text)));
    progress.done();
    if (json) writeJson(io.stdout, diagnosis);
    else io.stdout.write(verdictText(diagnosis, terminal));
    return { exit: diagnosisExit(diagnosis) };
  } finally {
    progress.done();
  }
}

function diagnose(target: DoctorTarget["target"], context: DoctorContext): Promise<Diagnosis> {
  return target.transport === "http" ? diagnoseHttp(target, context) : diagnoseProgram(target, context);
}

function diagnosisExit({ cause }: Diagnosis): "ok" | "findings" | "credentials" {
  if (cause === null) return "ok";
  return causeWeight(cause.id) === "credentials" ? "credentials" : "findings";
}

/** What to look at, and for how long. */
export interface DoctorTarget {
  readonly target: ({ readonly transport: "http" } & HttpTarget) | ({ readonly transport: "stdio" } & ProgramTarget);
  readonly timeoutMs: number;
}

/** Reads what was typed. Values are never repeated in a refusal: they may be secrets. */
export function readTarget(
  { positionals, options }: ParsedArguments,
  io: Pick<Io, "env" | "cwd">,
): DoctorTarget | CliFailure {
  const [first, ...rest] = positionals;
  if (first === undefined) return doctorUsage("Give the address of a server, or the command that starts it.");
  const misplaced = ["server", "fix", "write"].find((name) => options[name] !== undefined);
  if (misplaced !== undefined) return doctorUsage(`The option --${misplaced} is for configuration files.`);
  const timeoutMs = readTimeout(options);
  if (typeof timeoutMs !== "number") return timeoutMs;
  if (!isAddress(first)) {
    if (options["header"] !== undefined)
      return doctorUsage("The option --header is for addresses; a program has no headers.");
    const given = readPairs(options, "env", "=", io.env);
    if (given === undefined)
      return doctorUsage("The option -e needs NAME=value, or the NAME of a variable that you have.");
    const env = hostEnvironment(io.env, given);
    const withheld = new Set(Object.keys(io.env).filter((name) => !(name in env)));
    const folder = resolve(io.cwd, String(options["cwd"] ?? "."));
    const home = io.env["HOME"];
    const target = { folder, env, withheld, ...(home !== undefined && { home }) };
    return { target: { transport: "stdio", command: [first, ...rest], ...target }, timeoutMs };
  }
  const stray = ["env", "cwd"].find((name) => options[name] !== undefined);
  if (stray !== undefined) return doctorUsage(`The option --${stray} is for programs, and an address was given.`);
  if (rest.length > 0) return doctorUsage("Give one address only.");
  const url = URL.parse(first);
  if (url === null) return doctorUsage("The address is not a URL.");
  const headers = readPairs(options, "header", ":");
  if (headers === undefined) return doctorUsage("The option --header needs 'Name: value'.");
  const authorization = basicCredentials(url);
  const login = authorization === undefined ? {} : { authorization };
  const proxy = findProxy(url, io.env);
  const target = { url, headers: { ...login, ...headers }, ...(proxy !== undefined && { proxy }) };
  return { target: { transport: "http", ...target }, timeoutMs };
}
