import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { nearestNames } from "@recourse/faults";
import { CHECKS } from "../../checks/catalogue.ts";
import { doctorLine } from "../../doctor/typed.ts";
import { type GatherFailure, gather } from "../../gather/gather.ts";
import { replay } from "../../gather/replay.ts";
import { type Baseline, parseBaseline } from "../../judge/baseline.ts";
import { judge } from "../../judge/judge.ts";
import type { CommandFailure, Given, OptionValues, Outcome } from "../../program/command.ts";
import type { Io } from "../../program/io.ts";
import { printableUrl } from "../../program/printable-url.ts";
import { writeJson } from "../../program/write-json.ts";
import { asCommandLine } from "../../recording/command-line.ts";
import { parseRecording, serializeRecording } from "../../recording/parse.ts";
import type { Exchange, Recording } from "../../recording/recording.ts";
import { htmlReport } from "../../report/html/page.ts";
import { terminalReport } from "../../report/terminal.ts";
import { createProgress, progressMode } from "../../terminal/progress.ts";
import { terminalOf } from "../../terminal/terminal.ts";
import type { TargetSpec } from "../../wire/target.ts";
import { missedBar } from "./bar.ts";
import { exchangeText } from "./exchange-text.ts";
import { listChecks } from "./list-checks.ts";
import { type ProbeSettings, readSettings } from "./settings.ts";

/** What the parts of a run share. */
interface Run {
  readonly settings: ProbeSettings;
  readonly options: OptionValues;
  readonly io: Io;
}

type OrFailure<T> = T | { readonly failure: CommandFailure };

/** Runs `recourse probe`. */
export async function runProbe(given: Given, io: Io): Promise<Outcome> {
  const { options } = given;
  if (options["list-checks"] === true) return listChecks(options, io);
  const read = readSettings(given, io.env);
  if (!read.ok) return { failure: usage(read.problem) };
  const run: Run = { settings: read.settings, options, io };
  // A mistake in a file is said before a server is bothered.
  const baseline = await readBaseline(run);
  if ("failure" in baseline) return baseline;
  const recorded = await recordingFor(run);
  if ("failure" in recorded) return recorded;
  if (run.settings.replay !== undefined) return showAgain(recorded.recording, run.settings.replay, run);
  return report(recorded.recording, baseline.known, run);
}

async function readBaseline({
  settings,
  options,
  io,
}: Run): Promise<OrFailure<{ readonly known: Baseline | undefined }>> {
  const path = options["baseline"];
  if (typeof path !== "string") return { known: undefined };
  const text = await readText(path, io);
  if (typeof text !== "string") return text;
  const ids = new Set(CHECKS.map(({ id }) => id));
  const parsed = parseBaseline(text, { set: settings.set, ids });
  return parsed.ok ? { known: parsed.baseline } : { failure: usage(parsed.problem) };
}

/** The saved recording, or a new one. */
async function recordingFor(run: Run): Promise<OrFailure<{ readonly recording: Recording }>> {
  const { settings, options, io } = run;
  const { target, from } = settings;
  if (from !== undefined) return readRecording(from, io);
  if (target === undefined) return { failure: usage("Name a server.") };
  const progress = createProgress(io.stderr, progressMode(io.stderr, options));
  progress.step("Connecting");
  const gathered = await gather(target, {
    ...surroundings(run),
    tools: settings.tools,
    allowWrites: options["allow-writes"] === true,
    allowPrompts: options["allow-prompts"] === true,
    slow: options["slow"] === true,
    eras: settings.eras,
    onProgress: ({ revision, stimulus }) => progress.step(`Probing ${revision}: ${stimulus}`),
  });
  progress.done();
  if (!gathered.ok) return { failure: failureOf(gathered.failure, target) };
  const unsaved = await save(options["save"], () => serializeRecording(gathered.recording), io);
  return unsaved ?? gathered;
}

/** What a program and a request get from the user. */
function surroundings({ settings, options, io }: Run) {
  const cwd = options["cwd"];
  return {
    headers: settings.headers,
    env: settings.env,
    cwd: typeof cwd === "string" ? resolve(io.cwd, cwd) : io.cwd,
    signal: io.signal,
    now: io.now,
  };
}

async function readRecording(path: string, io: Io): Promise<OrFailure<{ readonly recording: Recording }>> {
  const text = await readText(path, io);
  if (typeof text !== "string") return text;
  const parsed = parseRecording(text);
  return parsed.ok ? parsed : { failure: usage(`${path} cannot be judged. ${parsed.because}`) };
}

async function report(recording: Recording, baseline: Baseline | undefined, run: Run): Promise<Outcome> {
  const { settings, options, io } = run;
  const { only, skip, set } = settings;
  const verdict = judge(recording, { only, skip, set, baseline, allExchanges: options["exchanges"] === true });
  const commandLineOf = (exchange: Exchange) => asCommandLine(exchange, recording.target);
  const unsaved = await save(options["html"], () => htmlReport(verdict, { commandLineOf }), io);
  if (options["json"] === true) writeJson(io.stdout, verdict);
  else {
    const terminal = terminalOf(io.stdout, io.env, options);
    const htmlFile = unsaved === undefined && typeof options["html"] === "string" ? options["html"] : undefined;
    io.stdout.write(`\n${terminalReport(verdict, { terminal, verbose: options["verbose"] === true, htmlFile })}`);
  }
  if (unsaved !== undefined) return unsaved;
  const failure = missedBar(verdict, settings);
  return failure === undefined ? { exit: "ok" } : { failure };
}

/** Shows one exchange in full. With a recording and a server, it is sent again. */
async function showAgain(recording: Recording, id: string, run: Run): Promise<Outcome> {
  const { settings, options, io } = run;
  const exchange = recording.eras.flatMap((era) => era.exchanges).find((one) => one.id === id);
  if (exchange === undefined) {
    const known = recording.eras.flatMap((era) => era.exchanges.map((one) => one.id));
    const [nearest] = nearestNames(id, known, 1);
    return {
      failure: usage(`There is no exchange "${id}".${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`),
    };
  }
  const { target, from } = settings;
  const again =
    target !== undefined && from !== undefined ? await replay(target, exchange, surroundings(run)) : undefined;
  if (again?.ok === false) return { failure: unreachable(again.because, target) };
  const shown = again === undefined ? exchange : { ...exchange, answer: again.answer };
  const line = asCommandLine(exchange, recording.target);
  if (options["json"] === true) writeJson(io.stdout, { ...shown, ...(line !== undefined && { commandLine: line }) });
  else io.stdout.write(exchangeText(shown, { line, terminal: terminalOf(io.stdout, io.env, options) }));
  return { exit: "ok" };
}

function failureOf(failure: GatherFailure, target: TargetSpec): CommandFailure {
  const { code, message, detail } = failure;
  switch (code) {
    case "interrupted":
      return { exit: "interrupted", code, message };
    case "credentials": {
      const where = target.transport === "http" ? printableUrl(target.url) : "<url>";
      return {
        exit: "credentials",
        code,
        message,
        fix: `recourse probe ${where} --header "Authorization: Bearer <token>"`,
        cause: detail,
      };
    }
    case "unreachable":
      return unreachable(message, target, detail);
    default:
      return code satisfies never;
  }
}

function unreachable(message: string, target: TargetSpec | undefined, cause?: string): CommandFailure {
  const fix = target === undefined ? {} : { fix: doctorLine(...wordsOf(target)) };
  return { exit: "unreachable", code: "unreachable", message, ...fix, ...(cause !== undefined && { cause }) };
}

/** The target as the words of a command line. */
function wordsOf(target: TargetSpec): readonly string[] {
  return target.transport === "http" ? [printableUrl(target.url)] : [target.command, ...target.args];
}

function usage(message: string): CommandFailure {
  return { exit: "usage", code: "usage", message, fix: "recourse probe --help" };
}

async function readText(path: string, io: Io): Promise<string | { readonly failure: CommandFailure }> {
  try {
    return await readFile(resolve(io.cwd, path), "utf8");
  } catch (cause) {
    return { failure: { ...usage(`${path} cannot be read.`), cause } };
  }
}

/** Writes a file that was asked for. One that exists is replaced: a probe in CI runs more than once. */
async function save(
  path: OptionValues[string],
  textOf: () => string,
  io: Io,
): Promise<{ readonly failure: CommandFailure } | undefined> {
  if (typeof path !== "string") return undefined;
  try {
    const { clean = (text) => text } = io;
    await writeFile(resolve(io.cwd, path), clean(textOf()));
    return undefined;
  } catch (cause) {
    return { failure: { ...usage(`${path} cannot be written.`), cause } };
  }
}
