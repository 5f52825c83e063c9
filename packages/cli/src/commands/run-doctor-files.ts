import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { DOCTOR_WAITS, type DoctorContext, type DoctorWaits } from "../doctor/diagnosis.ts";
import { changedLines, correctText, writeCorrected } from "../hosts/correct-file.ts";
import { type ConfigReport, diagnoseConfig, type ServerReport } from "../hosts/diagnose-config.ts";
import { entrySecrets, maskSecrets } from "../hosts/entry-view.ts";
import { expandEntry } from "../hosts/expand-entry.ts";
import {
  findHostFiles,
  HOSTS,
  type HostFile,
  type HostId,
  type HostMachine,
  recognizeFile,
} from "../hosts/host-files.ts";
import type { TextEdit } from "../hosts/json-text.ts";
import { type HostConfig, readConfig } from "../hosts/read-config.ts";
import type { CliFailure, CliOutcome, Io, ParsedArguments } from "../program/command.ts";
import { textOption } from "../program/command-line.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { cutTo, layOut, padTo, wrapText } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { doctorLine } from "../terminal/shell.ts";
import { createProgress, createTerminal, progressMode, type Terminal } from "../terminal/terminal.ts";
import { listNames, plural } from "../terminal/wording.ts";
import { doctorUsage, readPairs, readTimeout } from "./doctor-options.ts";
import { causeText, joinLines, noteText, printableLines, stepText } from "./doctor-text.ts";

/** Runs `recourse doctor` on configuration files of hosts, or lists them if nothing was given. */
export async function runDoctorOnFiles(
  given: ParsedArguments,
  io: Io,
  waits: Partial<DoctorWaits>,
): Promise<CliOutcome> {
  const machine: HostMachine = { platform: io.platform ?? process.platform, env: io.env, cwd: io.cwd };
  const files = chooseFiles(given, machine);
  if ("exit" in files) return { failure: files };
  if (given.positionals.length === 0 && given.options["host"] === undefined) return listFiles(files, given, io);
  const read = readRun(given, io);
  if ("exit" in read) return { failure: read };
  const configs = files.map(loadHostFile);
  const failed = configs.find((one) => "exit" in one);
  if (failed !== undefined && "exit" in failed) return { failure: failed };
  const readable = configs.filter((one) => "entries" in one);
  const { server } = read;
  if (server !== undefined && readable.every(({ entries }) => entries.every(({ name }) => name !== server))) {
    const names = readable.flatMap(({ entries }) => entries.map(({ name }) => printableLine(name)));
    return { failure: doctorUsage(`There is no server of this name. The file has ${listNames(names) || "none"}.`) };
  }
  return diagnoseFiles(readable, { given, io, machine, waits, ...read });
}

interface FilesRun {
  readonly given: ParsedArguments;
  readonly io: Io;
  readonly machine: HostMachine;
  readonly waits: Partial<DoctorWaits>;
  readonly timeoutMs: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly server?: string;
}

/** Reads the options that belong to files. */
function readRun(
  { options }: ParsedArguments,
  { env }: Pick<Io, "env">,
): Pick<FilesRun, "timeoutMs" | "variables" | "server"> | CliFailure {
  const timeoutMs = readTimeout(options);
  if (typeof timeoutMs !== "number") return timeoutMs;
  const stray = ["header", "cwd"].find((name) => options[name] !== undefined);
  if (stray !== undefined) return doctorUsage(`The option --${stray} is not for configuration files: write it there.`);
  if (options["write"] === true && options["fix"] !== true) return doctorUsage("The option --write needs --fix.");
  const variables = readPairs(options, "env", "=", env);
  if (variables === undefined) return doctorUsage("The option -e needs NAME=value.");
  const server = textOption(options, "server");
  return { timeoutMs, variables, ...(server !== undefined && { server }) };
}

function chooseFiles({ positionals, options }: ParsedArguments, machine: HostMachine): HostFile[] | CliFailure {
  const host = textOption(options, "host") as HostId | undefined;
  const [path, ...rest] = positionals;
  if (rest.length > 0) return doctorUsage("Give one configuration file only.");
  if (path !== undefined) return [recognizeFile(resolve(machine.cwd, path), host)];
  const found = findHostFiles(machine, host === undefined ? undefined : [host]);
  if (found.length > 0) return found;
  if (host !== undefined)
    return usageFailure(`No configuration file of ${HOSTS[host].name} was found.`, doctorLine("<file>"), "no-file");
  return doctorUsage("Give the address of a server, the command that starts it, or the configuration file of a host.");
}

const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** More are not written by people, and each is started. */
const MAX_HOST_SERVERS = 500;

function loadHostFile(file: HostFile): HostConfig | CliFailure {
  const name = printableLine(basename(file.path));
  if (/\.toml$/i.test(file.path))
    return doctorUsage(`${name} is TOML, which doctor does not read. Give the command of the server instead.`);
  const found = statSync(file.path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return doctorUsage(`There is no file ${name}.`);
  if (found.size > MAX_FILE_BYTES) return doctorUsage(`${name} is too large for a configuration file.`);
  try {
    const config = readConfig(readFileSync(file.path, "utf8"), file);
    return config.entries.length <= MAX_HOST_SERVERS
      ? config
      : doctorUsage(`${name} has ${config.entries.length} servers, and doctor looks at ${MAX_HOST_SERVERS} at most.`);
  } catch (error) {
    return doctorUsage(`${name} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  }
}

/** Without arguments: what is there to look at. */
function listFiles(files: readonly HostFile[], { options }: ParsedArguments, io: Io): CliOutcome {
  const rows = files.map((file) => {
    const config = loadHostFile(file);
    const servers = "entries" in config ? config.entries.length : 0;
    return { host: file.host, file: file.path, servers, command: doctorLine("--host", file.host) };
  });
  if (options["json"] === true) {
    writeJson(io.stdout, { files: rows });
    return { exit: "ok" };
  }
  const { width, styles } = createTerminal(io.stdout, io.env, options);
  const lines = rows.flatMap(({ host, file, servers, command }) => [
    "",
    `  ${styles.bold(HOSTS[host].name)}  ${plural(servers, "server")}`,
    ...wrapText(printableLine(file), { width, indent: "    " }),
    `    ${styles.cyan(command)}`,
  ]);
  io.stdout.write(joinLines(["  Configuration files of hosts on this machine:", ...lines]));
  return { exit: "ok" };
}

/** Looks at each file, writes what was found, and ends with the worst. */
async function diagnoseFiles(configs: readonly HostConfig[], run: FilesRun): Promise<CliOutcome> {
  const { io, given, machine, variables } = run;
  const json = given.options["json"] === true;
  const terminal = createTerminal(io.stdout, io.env, given.options);
  const progress = createProgress(io.stderr, progressMode(io.stderr, given.options));
  for (const config of configs)
    for (const entry of config.entries)
      io.hide?.(
        ...entrySecrets(entry),
        ...entrySecrets(expandEntry(entry, config, { machine, given: variables }).entry),
      );
  const clean = (text: string): string => printableLines(io.clean?.(text) ?? text);
  const doctor: DoctorContext = {
    timeoutMs: run.timeoutMs,
    waits: { ...DOCTOR_WAITS, ...run.waits },
    signal: io.signal,
    now: io.now,
    createId: randomUUID,
    clean,
    onProgress: progress.step,
    onStep: (step) => {
      progress.done();
      if (!json) io.stdout.write(stepText({ ...step, text: clean(step.text) }, terminal));
    },
    ...(given.options["verbose"] === true && {
      onStderrLine: (line: string) => io.stderr.write(`stderr: ${clean(line)}\n`),
    }),
  };
  const reports: ConfigReport[] = [];
  const write = (text: string): void => void (json || io.stdout.write(text));
  try {
    for (const config of configs) {
      write(fileText(config, run, terminal));
      const { report, edits } = await diagnoseConfig(config, {
        machine,
        given: variables,
        doctor,
        ...(run.server !== undefined && { server: run.server }),
        onServer: (server) => {
          progress.done();
          write(serverText(server, terminal));
        },
      });
      reports.push(report);
      write(report.findings.map((finding) => `\n${causeText(finding, terminal, { withSaw: true })}`).join(""));
      write(tableText(report, terminal));
      if (given.options["fix"] === true) write(correctionText(config, edits, run, terminal));
      else if (correctText(config.text, edits) !== undefined)
        write(
          `\n  ${terminal.styles.dim("Next")}  ${terminal.styles.cyan(doctorLine("--fix", ...onlyServer(run), displayPath(config, run)))}\n`,
        );
    }
  } finally {
    progress.done();
  }
  if (json) writeJson(io.stdout, { ready: exitOf(reports) === "ok", files: reports });
  return { exit: exitOf(reports) };
}

function exitOf(reports: readonly ConfigReport[]): "ok" | "findings" | "credentials" {
  const states = reports.flatMap(({ servers }) => servers.map(({ state }) => state));
  if (reports.some(({ findings }) => findings.length > 0) || states.includes("broken")) return "findings";
  return states.includes("credentials") ? "credentials" : "ok";
}

function displayPath({ file }: HostConfig, { io }: FilesRun): string {
  const below = relative(io.cwd, file.path);
  return below.startsWith("..") ? file.path : below;
}

function onlyServer({ server }: FilesRun): string[] {
  return server === undefined ? [] : ["--server", server];
}

function fileText(config: HostConfig, run: FilesRun, { styles, symbols, width }: Terminal): string {
  const { host, entries } = config;
  const named = config.file.host === "other" ? "" : ` ${symbols.dot} ${host.name}`;
  const text = `${styles.bold(printableLine(displayPath(config, run)))}${named} ${symbols.dot} ${plural(entries.length, "server")}`;
  return joinLines(["", ...wrapText(text, { width, indent: "  " })]);
}

const MAX_NAME_WIDTH = 24;

function serverText({ name, line, cause, notes, state, diagnosis }: ServerReport, terminal: Terminal): string {
  const { styles, symbols, width } = terminal;
  const shown = cutTo(printableLine(name), 60);
  const head = joinLines(["", `  ${styles.bold(shown)} ${styles.dim(`${symbols.dot} line ${line}`)}`]);
  const tail = notes
    .filter(({ id }) => id !== "D35")
    .map((note) => noteText(note, terminal))
    .join("");
  if (state === "disabled")
    return `${head}${joinLines([`  ${styles.dim(`${symbols.minus} disabled, not looked at`)}`])}`;
  if (cause !== null) return `${head}${causeText(cause, terminal, { withSaw: true })}${tail}`;
  const { server, revisions = [] } = diagnosis ?? {};
  const what = server === null || server === undefined ? "" : `: ${server.name} ${server.version}`;
  const ready = `ready${what}${revisions.length === 0 ? "" : ` ${symbols.dot} ${revisions.join(" and ")}`}`;
  return `${head}${joinLines(wrapText(ready, { width, indent: "    ", first: `  ${styles.green(symbols.tick)} ` }))}${tail}`;
}

function tableText({ servers }: ConfigReport, { styles, symbols, width }: Terminal): string {
  if (servers.length < 2) return "";
  const color = { ready: styles.green, broken: styles.red, credentials: styles.yellow, disabled: styles.dim } as const;
  const sign = {
    ready: symbols.tick,
    broken: symbols.cross,
    credentials: symbols.cross,
    disabled: symbols.minus,
  } as const;
  const nameWidth = Math.min(MAX_NAME_WIDTH, Math.max(...servers.map(({ name }) => name.length)));
  const rows = servers.map(({ name, transport, state, cause }) => [
    `${color[state](sign[state])} ${padTo(cutTo(printableLine(name), nameWidth), nameWidth)}`,
    transport ?? "",
    color[state](state),
    cause === null ? "" : `${cause.title.replaceAll("`", "")} (${cause.id})`,
  ]);
  return joinLines(["", ...layOut(rows, { width })]);
}

/** The corrected lines, and what became of writing them. */
function correctionText(
  config: HostConfig,
  edits: readonly TextEdit[],
  run: FilesRun,
  { styles, width }: Terminal,
): string {
  const corrected = correctText(config.text, edits);
  if (corrected === undefined) return joinLines(["", "  doctor cannot correct anything in the file automatically."]);
  const clean = (text: string): string =>
    printableLine(maskSecrets(run.io.clean?.(text) ?? text).replaceAll("\t", "  "));
  const lines = changedLines(config.text, edits).flatMap(({ line, before, after }) => [
    ...before.map((text, at) => styles.red(`${String(line + at).padStart(6)} - ${clean(text)}`)),
    ...after.map((text, at) => styles.green(`${String(line + at).padStart(6)} + ${clean(text)}`)),
  ]);
  const head = ["", `  ${styles.bold("Corrected")}`, ...lines];
  if (run.given.options["write"] !== true)
    return joinLines([
      ...head,
      "",
      `  ${styles.dim("Next")}  ${styles.cyan(doctorLine("--fix", "--write", ...onlyServer(run), displayPath(config, run)))}`,
    ]);
  const written = writeCorrected(config.file.path, { before: config.text, after: corrected });
  const said =
    "backup" in written
      ? `Written. The old file is ${printableLine(written.backup)}.`
      : `Nothing was written. ${written.refused}`;
  return joinLines([...head, "", ...wrapText(said, { width, indent: "  " })]);
}
