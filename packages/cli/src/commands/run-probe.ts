import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { nearestNames } from "@recourse/core";
import { PROBE_CHECKS } from "../checks/catalogue.ts";
import { CHECK_SEVERITIES, checkPage, type ProbeCheck } from "../checks/check.ts";
import { type GatherFailure, gather } from "../gather/gather.ts";
import { replay } from "../gather/replay.ts";
import { type Baseline, parseBaseline } from "../judge/baseline.ts";
import { judgeRecording } from "../judge/judge.ts";
import type { CliFailure, CliOutcome, Io, OptionValues, ParsedArguments } from "../program/command.ts";
import { writeCleaned, writeJson } from "../program/output.ts";
import { printableUrl } from "../program/secrets.ts";
import { parseRecording, serializeRecording } from "../recording/parse.ts";
import type { RecordedExchange, Recording } from "../recording/recording.ts";
import { asCommandLine, gotText, rawAnswer, sentText, withoutPasswords } from "../report/excerpt.ts";
import type { Report } from "../report/report.ts";
import { terminalReport } from "../report/terminal.ts";
import { layOut, wrapText } from "../terminal/layout.ts";
import { printable } from "../terminal/printable.ts";
import { doctorLine } from "../terminal/shell.ts";
import { createProgress, createTerminal, progressMode, type Terminal } from "../terminal/terminal.ts";
import { listNames } from "../terminal/wording.ts";
import type { TargetSpec } from "../wire/limits.ts";
import {
  type OrFailure,
  probeUsage,
  readTextFile,
  savedRecording,
  saveFile,
  shownReport,
  writeReports,
} from "./probe-files.ts";
import { type ProbeCommandOptions, readSettings } from "./probe-settings.ts";

/** What the parts of a run share. */
interface ProbeRun {
  readonly settings: ProbeCommandOptions;
  readonly options: OptionValues;
  readonly io: Io;
}

/** Runs `recourse probe`. */
export async function runProbeCommand(given: ParsedArguments, io: Io): Promise<CliOutcome> {
  const { options } = given;
  if (options["list-checks"] === true) return listChecks(options, io);
  const read = readSettings(given, io.env);
  if (!read.ok) return { failure: probeUsage(read.problem) };
  const run: ProbeRun = { settings: read.settings, options, io };
  // A mistake in a file is said before a server is bothered.
  const baseline = await readBaseline(run);
  if ("failure" in baseline) return baseline;
  const earlier = await readEarlierBaseline(run, baseline.known);
  if ("failure" in earlier) return earlier;
  const recorded = await recordingFor(run);
  if ("failure" in recorded) return recorded;
  if (run.settings.replay !== undefined) return showAgain(recorded.recording, run.settings.replay, run);
  return reportVerdict(recorded.recording, { baseline: baseline.known, earlier: earlier.known }, run);
}

async function readBaseline({
  settings,
  options,
  io,
}: ProbeRun): Promise<OrFailure<{ readonly known: Baseline | undefined }>> {
  const path = options["baseline"];
  if (typeof path !== "string") return { known: undefined };
  const text = await readTextFile(path, io);
  if (typeof text !== "string") return text;
  const parsed = parseBaseline(text, { set: settings.set, ids: CHECK_IDS });
  return parsed.ok ? { known: parsed.baseline } : { failure: probeUsage(parsed.problem) };
}

const CHECK_IDS: ReadonlySet<string> = new Set(PROBE_CHECKS.map(({ id }) => id));

/** The baseline that `--write-baseline` replaces, of any set. A file that is something else is not replaced. */
async function readEarlierBaseline(
  { options, io }: ProbeRun,
  given: Baseline | undefined,
): Promise<OrFailure<{ readonly known: Baseline | undefined }>> {
  const path = options["write-baseline"];
  if (typeof path !== "string" || !existsSync(resolve(io.cwd, path))) return { known: given };
  const text = await readTextFile(path, io);
  if (typeof text !== "string") return text;
  const parsed = parseBaseline(text, { ids: CHECK_IDS });
  if (parsed.ok) return { known: parsed.baseline };
  return { failure: probeUsage(`${path} exists and is not replaced. ${parsed.problem}`) };
}

/** The saved recording, or a new one. */
async function recordingFor(run: ProbeRun): Promise<OrFailure<{ readonly recording: Recording }>> {
  const { settings, options, io } = run;
  const { target, from } = settings;
  if (from !== undefined) return readRecording(from, io);
  if (target === undefined) return { failure: probeUsage("Name a server.") };
  const progress = createProgress(io.stderr, progressMode(io.stderr, options));
  progress.step("Connecting");
  const gathered = await gather(target, {
    ...surroundings(run),
    tools: settings.tools,
    allowWrites: options["allow-writes"] === true,
    byName: options["by-name"] === true,
    allowPrompts: options["allow-prompts"] === true,
    slow: options["slow"] === true,
    eras: settings.eras,
    onProgress: ({ revision, stimulus }) => progress.step(`Probing ${revision}: ${stimulus}`),
  });
  progress.done();
  if (!gathered.ok) return { failure: probeFailure(gathered.failure, target) };
  const unsaved = await saveFile(options["save"], () => serializeRecording(savedRecording(gathered.recording, io)), io);
  return unsaved ?? gathered;
}

/** What a program and a request get from the user. */
function surroundings({ settings, options, io }: ProbeRun) {
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
  const text = await readTextFile(path, io);
  if (typeof text !== "string") return text;
  const parsed = parseRecording(text);
  return parsed.ok ? parsed : { failure: probeUsage(`${path} cannot be judged. ${parsed.because}`) };
}

/** The baseline to judge by, and the one that a new baseline takes its reasons from. */
interface ProbeBaselines {
  readonly baseline: Baseline | undefined;
  readonly earlier: Baseline | undefined;
}

async function reportVerdict(
  recording: Recording,
  { baseline, earlier }: ProbeBaselines,
  run: ProbeRun,
): Promise<CliOutcome> {
  const { settings, options, io } = run;
  const { only, skip, set } = settings;
  const verdict = judgeRecording(recording, { only, skip, set, baseline, allExchanges: options["exchanges"] === true });
  const shown = shownReport(verdict, io);
  const unsaved = await writeReports(shown, { recording, earlier, options, io });
  if (options["json"] === true) writeCleaned(io.stdout, `${JSON.stringify(shown, undefined, 2)}\n`);
  else {
    const terminal = createTerminal(io.stdout, io.env, options);
    const htmlFile = unsaved === undefined && typeof options["html"] === "string" ? options["html"] : undefined;
    writeCleaned(io.stdout, `\n${terminalReport(shown, { terminal, verbose: options["verbose"] === true, htmlFile })}`);
  }
  if (unsaved !== undefined) return unsaved;
  const failure = missedBar(verdict, settings);
  return failure === undefined ? { exit: "ok" } : { failure };
}

/** Shows one exchange in full. With a recording and a server, it is sent again. */
async function showAgain(recording: Recording, id: string, run: ProbeRun): Promise<CliOutcome> {
  const { settings, options, io } = run;
  const exchange = recording.eras.flatMap((era) => era.exchanges).find((one) => one.id === id);
  if (exchange === undefined) {
    const known = recording.eras.flatMap((era) => era.exchanges.map((one) => one.id));
    const [nearest] = nearestNames(id, known, 1);
    return {
      failure: probeUsage(`There is no exchange "${id}".${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`),
    };
  }
  const { target, from } = settings;
  const again =
    target !== undefined && from !== undefined ? await replay(target, exchange, surroundings(run)) : undefined;
  if (again?.ok === false) return { failure: unreachableFailure(again.because, target) };
  const shown = again === undefined ? exchange : { ...exchange, answer: again.answer };
  const line = asCommandLine(exchange, recording.target);
  if (options["json"] === true) writeJson(io.stdout, { ...shown, ...(line !== undefined && { commandLine: line }) });
  else io.stdout.write(exchangeText(shown, { line, terminal: createTerminal(io.stdout, io.env, options) }));
  return { exit: "ok" };
}

function probeFailure(failure: GatherFailure, target: TargetSpec): CliFailure {
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
      return unreachableFailure(message, target, detail);
    default:
      return code satisfies never;
  }
}

function unreachableFailure(message: string, target: TargetSpec | undefined, cause?: string): CliFailure {
  const fix = target === undefined ? {} : { fix: doctorLine(...targetWords(target)) };
  return { exit: "unreachable", code: "unreachable", message, ...fix, ...(cause !== undefined && { cause }) };
}

/** The target as the words of a command line. */
function targetWords(target: TargetSpec): readonly string[] {
  return target.transport === "http" ? [printableUrl(target.url)] : [target.command, ...target.args];
}

/** Why a report does not reach the bar that you set. Undefined if it does. */
export function missedBar(
  report: Report,
  { failUnder, failOn }: Pick<ProbeCommandOptions, "failUnder" | "failOn">,
): CliFailure | undefined {
  const { score, checks, stale } = report;
  if (failUnder !== undefined && score < failUnder)
    return barFailure("under-bar", `The score is ${score}, and --fail-under asks for ${failUnder}.`);
  if (failOn !== undefined) {
    const bad = CHECK_SEVERITIES.slice(0, CHECK_SEVERITIES.indexOf(failOn) + 1);
    const found = checks.filter(({ state, severity }) => state === "fail" && bad.includes(severity));
    if (found.length > 0)
      return barFailure("findings", `--fail-on ${failOn} does not allow ${listNames(found.map(({ id }) => id))}.`);
  }
  if (stale.length > 0)
    return barFailure("stale-baseline", `The baseline lists what passes now. Remove ${listNames(stale)} from it.`);
  return undefined;
}

function barFailure(code: string, message: string): CliFailure {
  return { exit: "findings", code, message };
}

/** The longest answer that is shown. `--json` has all that was kept. */
const MAX_EXCHANGE_TEXT = 8000;

/** One exchange in full, for a terminal. */
export function exchangeText(
  exchange: RecordedExchange,
  { line, terminal }: { readonly line: string | undefined; readonly terminal: Terminal },
): string {
  const { styles, width } = terminal;
  const raw = rawAnswer(exchange);
  const part = (name: string, text: string) => [
    `  ${styles.bold(name)}`,
    ...wrapText(printable(text.slice(0, MAX_EXCHANGE_TEXT)), { width, indent: "    " }),
    "",
  ];
  const lines = [
    ...part("sent", sentText(exchange)),
    ...part("got", gotText(exchange)),
    ...(raw === undefined || raw === "" ? [] : part("as it arrived", withoutPasswords(raw))),
    // A command must stay on one line, or it cannot be copied.
    ...(line === undefined ? [] : [`  ${styles.bold("by hand")}`, `    ${printable(line)}`, ""]),
  ];
  return `${lines.join("\n")}`;
}

/** Lists every check: what it asks for, and how bad a finding is. */
export function listChecks(options: OptionValues, io: Io): CliOutcome {
  if (options["json"] === true) {
    writeJson(io.stdout, PROBE_CHECKS.map(checkJson));
    return { exit: "ok" };
  }
  const { width, styles } = createTerminal(io.stdout, io.env, options);
  const categories = Map.groupBy(PROBE_CHECKS, ({ category }) => category);
  const blocks = [...categories].map(([category, checks]) => {
    const rows = checks.map(({ id, severity, title, preview }) => [id, preview === true ? "preview" : severity, title]);
    return [`  ${styles.bold(category)}`, ...layOut(rows, { width, indent: "    " })].join("\n");
  });
  io.stdout.write(`${blocks.join("\n\n")}\n\n  ${PROBE_CHECKS.length} checks. More about one: recourse explain <id>\n`);
  return { exit: "ok" };
}

function checkJson({ id, category, severity, severityOn, title, why, source, preview, follows }: ProbeCheck) {
  return {
    id,
    category,
    severity,
    ...(severityOn !== undefined && { severityOn }),
    title,
    why,
    source,
    preview: preview === true,
    follows: follows ?? [],
    docs: checkPage(id),
  };
}
