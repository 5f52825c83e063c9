import { readId, timeOfId } from "@recourse/core/wire";
import { readLogValue } from "@recourse/explain";
import { type AdminClient, openAdminClient } from "../admin/client.ts";
import { ADMIN_VARIABLES } from "../admin/settings.ts";
import type { CliFailure, CliOutcome, Io, OptionValues, ParsedArguments } from "../program/command.ts";
import { textOption } from "../program/command-line.ts";
import { usageFailure, writeJson } from "../program/output.ts";
import { printableLine } from "../terminal/printable.ts";
import { createProgress, createTerminal, progressMode } from "../terminal/terminal.ts";
import { adviseSearch, madeAt, type NotFoundReport, writeNotFound, writeReport } from "./page.ts";
import { buildReport, type IncidentReport } from "./report.ts";
import { addSighting, createSearch, type IncidentSearch, rereadable, searchLogs } from "./search.ts";
import { findLogFiles, type LogFiles, type LogSource } from "./sources.ts";

/** Clocks of machines differ, and a log may be written before the time of its file is. */
const CLOCK_MARGIN_MS = 3_600_000;
/** Requests to the gateway for linked ids. */
const MAX_GATEWAY_QUESTIONS = 5;
const STANDARD_INPUT = "-";

/** `recourse incident`. */
export async function runIncident(given: ParsedArguments, io: Io): Promise<CliOutcome> {
  const { options } = given;
  const question = readQuestion(given.positionals);
  const { ids } = question;
  if (ids.length === 0) return { failure: noId(given.positionals) };
  const paths = [...question.paths, ...namedPlaces(options, "in")];
  const gateway = chooseGateway(given, paths, io);
  if ("failure" in gateway) return gateway;
  const readsInput =
    paths.includes(STANDARD_INPUT) || (paths.length === 0 && !hasUrl(options) && io.stdin.isTTY !== true);
  if (paths.length === 0 && gateway.client === undefined && !readsInput) return { failure: noPlace(ids[0] ?? "") };

  const search = createSearch(ids);
  const files = await findFiles(paths, ids, io);
  if ("failure" in files) return files;
  const input = readsInput ? [rereadable("standard input", io.stdin)] : [];
  const asked = new Set<string>();
  const refused = gateway.client === undefined ? undefined : await askGateway(search, gateway.client, asked);
  await searchAll(search, [...input, ...files.sources], { io, options });
  // Logs may have named ids that the gateway knows: that of its own incident, for one of an upstream.
  if (gateway.client !== undefined && refused === undefined) await askGateway(search, gateway.client, asked);
  if (refused !== undefined && search.sightings.length === 0 && search.searched.length === 0)
    return { failure: refused };
  if (refused !== undefined && options["json"] !== true)
    io.stderr.write(`The gateway was not asked: ${printableLine(refused.message)}\n`);
  return showReports(search, {
    ids,
    io,
    options,
    files,
    address: refused === undefined ? gateway.client?.address : undefined,
  });
}

function hasUrl(options: OptionValues): boolean {
  return textOption(options, "url") !== undefined;
}

function namedPlaces(options: OptionValues, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value : [];
}

/** A gateway is asked if its address was typed, or if nothing else was named and its key is there. */
function chooseGateway(
  given: ParsedArguments,
  paths: readonly string[],
  io: Io,
): { readonly client?: AdminClient } | { readonly failure: CliFailure } {
  const isMeant = hasUrl(given.options) || (paths.length === 0 && (io.env[ADMIN_VARIABLES.key] ?? "") !== "");
  return isMeant ? openAdminClient(given, io) : {};
}

function noId(positionals: readonly string[]): CliFailure {
  const example = "recourse incident 01M7HXRMR83H8Q9JKGBAVMDXX4 server.log";
  return usageFailure(
    positionals.length === 0
      ? "Name the id of an incident, or paste the sentence that has it."
      : "No id of an incident is in these words. It has 26 letters and digits, such as 01M7HXRMR83H8Q9JKGBAVMDXX4.",
    example,
  );
}

function noPlace(id: string): CliFailure {
  return usageFailure(
    `Say where to look: a log, a folder, standard input, or a gateway (--url, with its key in ${ADMIN_VARIABLES.key}).`,
    `recourse incident ${id} server.log`,
  );
}

async function findFiles(
  paths: readonly string[],
  ids: readonly string[],
  io: Io,
): Promise<LogFiles | { readonly failure: CliFailure }> {
  const times = ids.map((id) => timeOfId(id) ?? 0);
  const named = paths.filter((path) => path !== STANDARD_INPUT);
  try {
    const sinceMs = Math.min(...times) - CLOCK_MARGIN_MS;
    return await findLogFiles(named, { cwd: io.cwd, signal: io.signal, sinceMs });
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || !("path" in error)) throw error;
    const message = `${printableLine(String(error.path))} cannot be read: ${String(error.code)}.`;
    return { failure: { exit: "usage", code: "unreadable", message, fix: "recourse incident --help", cause: error } };
  }
}

/** Asks the gateway for the ids of a search. Returns why it did not answer. */
async function askGateway(
  search: IncidentSearch,
  client: AdminClient,
  asked: Set<string>,
): Promise<CliFailure | undefined> {
  for (let count = 0; count < MAX_GATEWAY_QUESTIONS; count += 1) {
    const id = [...search.ids].find((one) => !asked.has(one));
    if (id === undefined) return undefined;
    asked.add(id);
    const reply = await client.get(`/incidents/${id}`);
    if (!reply.ok && reply.failure.reason !== "core/not_found") return reply.failure;
    if (!reply.ok) continue;
    for (const incident of readLogValue(reply.value).incidents)
      addSighting(search, { type: "incident", source: client.address, incident });
    // The gateway finds an incident by both of its ids: asking again would show it twice.
    for (const { incident } of search.sightings.filter((one) => one.type === "incident"))
      for (const known of [incident.id, incident.upstreamIncident]) if (known !== undefined) asked.add(known);
  }
  return undefined;
}

async function searchAll(
  search: IncidentSearch,
  sources: readonly LogSource[],
  { io, options }: { readonly io: Io; readonly options: OptionValues },
): Promise<void> {
  if (sources.some(({ name }) => name === "standard input") && io.stdin.isTTY === true && options["quiet"] !== true)
    io.stderr.write("Paste lines of a log, then press Ctrl-D (on Windows Ctrl-Z and Enter).\n");
  const progress = createProgress(io.stderr, progressMode(io.stderr, options));
  try {
    const onProgress = (source: string, lines: number) => progress.step(`${printableLine(source)}: ${lines} lines`);
    await searchLogs(search, sources, { signal: io.signal, onProgress });
  } finally {
    progress.done();
  }
}

interface ReportContext {
  readonly ids: readonly string[];
  readonly io: Io;
  readonly options: OptionValues;
  readonly files: LogFiles;
  readonly address: string | undefined;
}

function showReports(search: IncidentSearch, { ids, io, options, files, address }: ReportContext): CliOutcome {
  const terminal = createTerminal(io.stdout, io.env, options);
  const reports: (IncidentReport | NotFoundReport)[] = [];
  const told = new Set<string>();
  for (const id of ids) {
    // Two ids of one sentence may be the same failure, at the gateway and behind it.
    if (told.has(id)) continue;
    const report = buildReport(id, search);
    for (const { id: other } of report?.related ?? []) told.add(other);
    reports.push(report ?? describeSearch(id, { search, files, address }));
  }
  if (options["json"] === true) writeJson(io.stdout, reports.length === 1 ? reports[0] : reports);
  else
    for (const report of reports)
      io.stdout.write(report.found ? writeReport(report, terminal) : writeNotFound(report, terminal));
  return { exit: reports.every(({ found }) => found) ? "ok" : "findings" };
}

function describeSearch(
  id: string,
  { search, files, address }: { readonly search: IncidentSearch } & Pick<ReportContext, "files" | "address">,
): NotFoundReport {
  const at = madeAt(id, Date.now());
  return {
    id,
    found: false,
    ...(at !== undefined && { madeAt: at }),
    searched: search.searched,
    unread: files.unread,
    ...(address !== undefined && { gateway: address }),
    advice: adviseSearch({ at, searched: search.searched, gateway: address }),
  };
}

/** What was asked for: ids of incidents, and the files and folders to look in. */
interface IncidentQuestion {
  readonly ids: readonly string[];
  readonly paths: readonly string[];
}

/** A sentence names one id, or two: that of a gateway and that of the server behind it. */
const MAX_ASKED = 5;
const MAX_QUESTION = 100_000;
const WORD = /[0-9A-Za-z]{26}(?![0-9A-Za-z])/g;

/**
 * Reads the words of the command line. After an id alone, or after a sentence in quotes, files may follow. Words of a sentence
 * without quotes are no files.
 */
export function readQuestion(words: readonly string[]): IncidentQuestion {
  const [first = "", ...rest] = words;
  const isWhole = toIncidentId(first) !== undefined || (/\s/.test(first) && idsInText(first).length > 0);
  return isWhole ? { ids: idsInText(first), paths: rest } : { ids: idsInText(words.join(" ")), paths: [] };
}

/** The ids in a pasted text. */
export function idsInText(text: string): readonly string[] {
  const found = Array.from(text.slice(0, MAX_QUESTION).matchAll(WORD), ({ 0: word, index }) =>
    /[0-9A-Za-z]/.test(text.charAt(index - 1)) ? undefined : toIncidentId(word),
  );
  return [...new Set(found.filter((id) => id !== undefined))].slice(0, MAX_ASKED);
}

/** The id that a word means. Ids have no I, L, O and U: people who type an id read 1 and 0 as letters. */
function toIncidentId(word: string): string | undefined {
  const upper = word.toUpperCase();
  return readId(upper) ?? (/\d/.test(upper) ? readId(upper.replaceAll(/[IL]/g, "1").replaceAll("O", "0")) : undefined);
}
