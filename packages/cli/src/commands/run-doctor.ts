import { resolve } from "node:path";
import { toLine } from "@recourse/faults/safety";
import { hostEnvironment } from "@recourse/wire/node";
import { diagnoseHttp, type HttpTarget } from "../doctor/diagnose-http.ts";
import { diagnoseProgram, type ProgramTarget } from "../doctor/diagnose-program.ts";
import {
  type CauseReport,
  causeWeight,
  type Diagnosis,
  type DiagnosisStep,
  DOCTOR_WAITS,
  type DoctorContext,
  type DoctorWaits,
  mapTexts,
  STEP_NAMES,
} from "../doctor/diagnosis.ts";
import type { CliFailure, CliOutcome, Io, OptionValues, ParsedArguments } from "../program/command.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { basicCredentials, isAddress } from "../program/secrets.ts";
import { padTo, wrapText } from "../terminal/layout.ts";
import { createProgress, createTerminal, progressMode, type Terminal } from "../terminal/terminal.ts";
import { withoutBackticks } from "../terminal/wording.ts";

/** Runs `recourse doctor`. `waits` replaces some of its waits. */
export async function runDoctor(given: ParsedArguments, io: Io, waits: Partial<DoctorWaits> = {}): Promise<CliOutcome> {
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

const MAX_PRINTED_LINE = 1_000;

/** Text without anything that moves a cursor or reorders a line. Line breaks of our own stay. */
function printableLines(text: string): string {
  return text
    .split("\n")
    .map((line) => toLine(line, MAX_PRINTED_LINE))
    .join("\n");
}

const doctorUsage = (message: string): CliFailure => usageFailure(message, "recourse doctor --help");

/** What to look at, and for how long. */
export interface DoctorTarget {
  readonly target: ({ readonly transport: "http" } & HttpTarget) | ({ readonly transport: "stdio" } & ProgramTarget);
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_S = 10;
const MAX_TIMEOUT_S = 3_600;

/** Reads what was typed. Values are never repeated in a refusal: they may be secrets. */
export function readTarget(
  { positionals, options }: ParsedArguments,
  io: Pick<Io, "env" | "cwd">,
): DoctorTarget | CliFailure {
  const [first, ...rest] = positionals;
  if (first === undefined) return doctorUsage("Give the address of a server, or the command that starts it.");
  const timeout = Number(options["timeout"] ?? DEFAULT_TIMEOUT_S);
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT_S))
    return doctorUsage(`The option --timeout needs a number of seconds up to ${MAX_TIMEOUT_S}.`);
  const timeoutMs = timeout * 1000;
  if (!isAddress(first)) {
    if (options["header"] !== undefined)
      return doctorUsage("The option --header is for addresses; a program has no headers.");
    const given = readPairs(options, "env", "=");
    if (given === undefined) return doctorUsage("The option -e needs NAME=value.");
    const env = hostEnvironment(io.env, given);
    const withheld = new Set(Object.keys(io.env).filter((name) => !(name in env)));
    const folder = resolve(io.cwd, String(options["cwd"] ?? "."));
    return { target: { transport: "stdio", command: [first, ...rest], folder, env, withheld }, timeoutMs };
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
  return { target: { transport: "http", url, headers: { ...login, ...headers } }, timeoutMs };
}

const PAIR_NAME = /^[\w.!#$%&'*+^`|~-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what cannot be sent in a header or a variable.
const UNSENDABLE = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** The pairs of an option by name. Undefined if one of them cannot be read. */
function readPairs(options: OptionValues, name: string, separator: ":" | "="): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const text of [options[name] ?? []].flat().map(String)) {
    const at = text.indexOf(separator);
    const key = text.slice(0, at).trim();
    const value = separator === ":" ? text.slice(at + 1).trim() : text.slice(at + 1);
    if (at < 1 || !PAIR_NAME.test(key) || UNSENDABLE.test(value)) return undefined;
    pairs[separator === ":" ? key.toLowerCase() : key] = value;
  }
  return pairs;
}

const NAME_WIDTH = Math.max(...STEP_NAMES.map(({ length }) => length)) + 2;

/** The line of one step. */
export function stepText(step: DiagnosisStep, { width, styles, symbols }: Terminal): string {
  const sign = {
    ok: styles.green(symbols.tick),
    broken: styles.red(symbols.cross),
    skipped: styles.dim(symbols.minus),
  }[step.state];
  const first = `  ${sign} ${padTo(step.name, NAME_WIDTH)}`;
  return joinLines(wrapText(step.text, { width, indent: " ".repeat(NAME_WIDTH + 4), first }));
}

/** What the steps come to. */
export function verdictText(diagnosis: Diagnosis, terminal: Terminal): string {
  const { styles, symbols, width } = terminal;
  const notes = diagnosis.notes.map((note) => noteText(note, terminal)).join("");
  if (diagnosis.cause !== null) return `\n${causeText(diagnosis.cause, terminal)}${notes}`;
  const { server, revisions, durationMs, target } = diagnosis;
  const how = target.transport === "http" ? "over HTTP" : "over stdio";
  const text = `${server?.name ?? "The server"} ${server?.version ?? ""} is ready ${how}: ${revisions.join(" and ")} ${symbols.dot} ${(durationMs / 1000).toFixed(1)} s`;
  const ready = wrapText(text.replaceAll(/ +/g, " "), {
    width,
    indent: "    ",
    first: `  ${styles.green(symbols.tick)} `,
  });
  return `\n${joinLines(ready)}${notes}`;
}

function causeText(cause: CauseReport, terminal: Terminal): string {
  const { styles, symbols, width } = terminal;
  const head = `  ${styles.red(symbols.cross)} `;
  return joinLines([
    ...wrapText(`${styles.bold(cause.title)} (${cause.id})`, { width, indent: "    ", first: head }),
    ...wrapText(withoutBackticks(cause.because), { width, indent: "    " }),
    ...labelled("Fix", withoutBackticks(cause.fix), terminal),
    ...(cause.code === undefined || cause.code === cause.next ? [] : codeLines(cause.code, terminal)),
    ...(cause.next === undefined ? [] : [`    ${styles.dim("Next")}  ${styles.cyan(cause.next)}`]),
    `    ${styles.dim("More")}  ${styles.cyan(`recourse explain ${cause.id}`)}`,
  ]);
}

function noteText({ id, saw, fix }: CauseReport, { styles, symbols, width }: Terminal): string {
  const text = `${saw} ${withoutBackticks(fix)} (${id})`;
  return joinLines(wrapText(text, { width, indent: "    ", first: `  ${styles.yellow(symbols.info)} ` }));
}

function labelled(label: string, text: string, { styles, width }: Terminal): string[] {
  return wrapText(text, { width, indent: " ".repeat(10), first: `    ${styles.dim(padTo(label, 4))}  ` });
}

/** Code is never wrapped, or it cannot be copied. */
function codeLines(code: string, { styles }: Terminal): string[] {
  return code.split("\n").map((line) => `          ${styles.cyan(line)}`);
}

function joinLines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join("");
}
