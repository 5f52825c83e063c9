import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { entriesOf, isObject } from "@recourse/core/wire";
import { type Baseline, writeBaseline } from "../judge/baseline.ts";
import type { CliFailure, Io, OptionValues } from "../program/command.ts";
import { usageFailure } from "../program/output.ts";
import { HIDDEN_MARK, mapScalars } from "../program/secrets.ts";
import { HIDDEN_IN_RECORDING, type RecordedExchange, type Recording } from "../recording/recording.ts";
import { badgeSvg } from "../report/badge.ts";
import { asCommandLine } from "../report/excerpt.ts";
import { htmlReport } from "../report/html/page.ts";
import { junitReport } from "../report/junit.ts";
import { markdownReport } from "../report/markdown.ts";
import type { Report } from "../report/report.ts";
import { sarifReport } from "../report/sarif.ts";

/** A value, or why it is missing. */
export type OrFailure<T> = T | { readonly failure: CliFailure };

/** A command line or a file that `probe` cannot use. */
export const probeUsage = (message: string): CliFailure => usageFailure(message, "recourse probe --help");

/** What the files of a run are made from, apart from the report. */
interface ReportSources {
  readonly recording: Recording;
  /** The baseline that a new one takes its reasons from. */
  readonly earlier: Baseline | undefined;
  readonly options: OptionValues;
  readonly io: Io;
}

/** Writes every file that was asked for. `shown` is the report without secrets. One that fails does not keep the others back. */
export async function writeReports(
  shown: Report,
  { recording, earlier, options, io }: ReportSources,
): Promise<{ readonly failure: CliFailure } | undefined> {
  const texts: Readonly<Record<string, () => string>> = {
    html: () => htmlReport(shown, { toCommandLine: commandLines(recording, io) }),
    markdown: () => markdownReport(shown),
    sarif: () => sarifReport(shown, { file: repositoryFile(io) }),
    junit: () => junitReport(shown),
    badge: () => badgeSvg(shown),
    "write-baseline": () => writeBaseline(shown, earlier),
  };
  let unsaved: { readonly failure: CliFailure } | undefined;
  for (const [option, toText] of Object.entries(texts)) {
    const failed = await saveFile(options[option], toText, io);
    unsaved ??= failed;
  }
  return unsaved;
}

/**
 * A report as it leaves the program: without secrets, and with one mark for what is hidden. Every form of it is made from
 * this: a secret that is cut from finished JSON or XML could break it.
 */
export function shownReport(report: Report, { cleanValue = (value) => value }: Io): Report {
  const show = <T>(part: T): T =>
    mapScalars(cleanValue(part), (scalar) =>
      typeof scalar === "string" ? scalar.replaceAll(HIDDEN_IN_RECORDING, HIDDEN_MARK) : scalar,
    );
  return showOwn(report, show) as Report;
}

/** A recording as it is saved: without secrets. What stands for a value that was never recorded is kept as it is. */
export function savedRecording(recording: Recording, { cleanValue = (value) => value }: Io): Recording {
  return showOwn(recording, cleanValue) as Recording;
}

/** Members of a report or a recording whose values are words of this program. `-e STAGE=preview` does not make one of them a secret. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...["state", "severity", "category", "source", "causedBy", "cures", "stale", "grade", "option"],
  ...["format", "kind", "stimulus", "transport", "revision", "revisions", "rule"],
]);
/** Members that hold JSON or headers of the server, whose names may be secrets too. */
const SERVER_PARTS: ReadonlySet<string> = new Set([
  ...["message", "headers", "schema", "strays"],
  ...["capabilities", "tools", "resources", "resourceTemplates", "prompts"],
]);

function showOwn(value: unknown, show: <T>(part: T) => T): unknown {
  if (Array.isArray(value)) return value.map((item) => showOwn(item, show));
  if (!isObject(value)) return show(value);
  const members = entriesOf(value).map(([name, member]) => {
    if (OWN_WORDS.has(name)) return [name, member];
    return [name, SERVER_PARTS.has(name) ? show(member) : showOwn(member, show)];
  });
  return Object.fromEntries(members);
}

/** How to send an exchange again, from what was recorded: there a hidden header is known by its mark. */
function commandLines(
  { eras, target }: Recording,
  { cleanValue = (value) => value }: Io,
): (exchange: RecordedExchange) => string | undefined {
  const recorded = new Map(eras.flatMap((era) => era.exchanges).map((exchange) => [exchange.id, exchange]));
  return (exchange) => cleanValue(asCommandLine(recorded.get(exchange.id) ?? exchange, target));
}

/** Files that say what a project is. The first that exists stands for the server in code scanning. */
const PROJECT_FILES = [
  "package.json",
  "pyproject.toml",
  "go.mod",
  "Cargo.toml",
  "pom.xml",
  "build.gradle",
  "README.md",
];

/**
 * The file that findings are shown at, relative to the root of the repository. It has to be in the repository and the same in
 * every run, and the command of a server often names a built file.
 */
function repositoryFile({ cwd, env }: Io): string {
  const name = PROJECT_FILES.find((file) => existsSync(resolve(cwd, file))) ?? "README.md";
  const path = relative(env["GITHUB_WORKSPACE"] ?? cwd, resolve(cwd, name)).replaceAll("\\", "/");
  return path.startsWith("..") || isAbsolute(path) ? name : path;
}

/** The text of a file that was named on the command line. */
export async function readTextFile(path: string, io: Io): Promise<string | { readonly failure: CliFailure }> {
  try {
    return await readFile(resolve(io.cwd, path), "utf8");
  } catch (cause) {
    return { failure: { ...probeUsage(`${path} cannot be read.`), cause } };
  }
}

/** Writes a file that was asked for, from data without secrets. One that exists is replaced: a probe in CI runs more than once. */
export async function saveFile(
  path: OptionValues[string],
  toText: () => string,
  io: Io,
): Promise<{ readonly failure: CliFailure } | undefined> {
  if (typeof path !== "string") return undefined;
  const text = toText();
  try {
    await writeFile(resolve(io.cwd, path), text);
    return undefined;
  } catch (cause) {
    return { failure: { ...probeUsage(`${path} cannot be written.`), cause } };
  }
}
