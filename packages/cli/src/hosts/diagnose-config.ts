import { hostEnvironment } from "@recourse/core/node";
import type { ConnectionCauseId } from "@recourse/explain";
import { diagnoseHttp } from "../doctor/diagnose-http.ts";
import { diagnoseProgram } from "../doctor/diagnose-program.ts";
import {
  type CauseReport,
  causeWeight,
  type Diagnosis,
  type DoctorContext,
  mapCause,
  mapTexts,
  quoteLine,
  reportCause,
} from "../doctor/diagnosis.ts";
import { findProxy } from "../doctor/proxy.ts";
import { basicCredentials } from "../program/secrets.ts";
import { checkEntry, checkEntryNames } from "./check-entry.ts";
import { insertMember, prependItems } from "./entry-view.ts";
import { type EntryContext, type ExpandedEntry, expandEntry } from "./expand-entry.ts";
import { type HostId, homeFolder } from "./host-files.ts";
import { lastMember, positionAt, type TextEdit } from "./json-text.ts";
import type { ConfigFinding, HostConfig, ServerEntry } from "./read-config.ts";

/** What became of one server of a file. */
export interface ServerReport {
  readonly name: string;
  /** The project that it is for, if a file has servers of several. */
  readonly project?: string;
  /** The line of the file in which it begins. */
  readonly line: number;
  readonly transport: "stdio" | "http" | "sse" | null;
  readonly state: "ready" | "broken" | "credentials" | "disabled";
  readonly cause: CauseReport | null;
  readonly notes: readonly CauseReport[];
  /** The steps that were taken. Null if it was not started. */
  readonly diagnosis: Diagnosis | null;
}

/** What was found in one configuration file. `--json` prints it. */
export interface ConfigReport {
  readonly file: string;
  readonly host: HostId;
  /** What is wrong with the file as a whole. */
  readonly findings: readonly CauseReport[];
  readonly servers: readonly ServerReport[];
}

/** How a file is looked at. */
export interface ConfigRun extends EntryContext {
  readonly doctor: DoctorContext;
  /** Only this server. @default all */
  readonly server?: string;
  /** Called with each server as it is known, in the order of the file. */
  readonly onServer?: (report: ServerReport) => void;
}

/** Servers that are started at the same time. */
const MAX_AT_ONCE = 4;

/** Looks at a file and at its servers. The edits are what would correct the file. */
export async function diagnoseConfig(
  config: HostConfig,
  run: ConfigRun,
): Promise<{ readonly report: ConfigReport; readonly edits: readonly TextEdit[] }> {
  const entries = config.entries.filter(({ name }) => run.server === undefined || name === run.server);
  const findings = [...config.findings, ...checkEntryNames(config)];
  const edits: TextEdit[] = findings.flatMap((one) => one.edits ?? []);
  const running: Promise<EntryResult>[] = [];
  const servers: ServerReport[] = [];
  const shown = (report: ServerReport): ServerReport => {
    const { clean } = run.doctor;
    return {
      ...report,
      cause: report.cause === null ? null : mapCause(report.cause, clean),
      notes: report.notes.map((note) => mapCause(note, clean)),
      diagnosis: report.diagnosis === null ? null : mapTexts(report.diagnosis, clean),
    };
  };
  for (const [at, entry] of entries.entries()) {
    // The one that began so many places before has to be over.
    if (at >= MAX_AT_ONCE) await running[at - MAX_AT_ONCE];
    running.push(diagnoseEntry(entry, config, run));
  }
  for (const result of running) {
    const { report, edits: own } = await result;
    edits.push(...own);
    servers.push(shown(report));
    run.onServer?.(shown(report));
  }
  const { path, host } = config.file;
  const printed = findings.map((one) => mapCause(reportCause(one), run.doctor.clean));
  return { report: { file: path, host, findings: printed, servers }, edits };
}

interface EntryResult {
  readonly report: ServerReport;
  readonly edits: readonly TextEdit[];
}

async function diagnoseEntry(entry: ServerEntry, config: HostConfig, run: ConfigRun): Promise<EntryResult> {
  const { name, project, disabled } = entry;
  const expanded = expandEntry(entry, config, run);
  const found = [...checkEntry(entry, config, run), ...expanded.findings];
  const base = {
    name,
    line: positionAt(config.text, entry.key.start).line,
    transport: transportOf(entry, config),
    ...(project !== undefined && { project }),
  };
  const edits = found.flatMap((one) => one.edits ?? []);
  if (disabled) return { report: { ...base, state: "disabled", cause: null, notes: [], diagnosis: null }, edits: [] };
  const certain = found.find((one) => one.certain);
  if (certain !== undefined) {
    const others = found.filter((one) => one !== certain);
    const cause = reportCause(certain);
    const report = { ...base, state: stateOf(cause), cause, notes: others.map(reportCause), diagnosis: null };
    return { report, edits };
  }
  const diagnosis = await start(expanded, config, run);
  if (diagnosis === undefined)
    return { report: { ...base, state: "broken", cause: null, notes: [], diagnosis: null }, edits };
  const { cause, extra } = judgeTransport(entry, config, diagnosis);
  const promoted = cause === null ? undefined : found.find((one) => explains(one, cause));
  const notes = [...found.filter((one) => one !== promoted).map(reportCause), ...diagnosis.notes];
  const final =
    promoted === undefined || cause === null
      ? cause
      : { ...reportCause(promoted), because: `${reportCause(promoted).because} What happens then: ${cause.saw}` };
  // Suspicions about a server that works are not corrected, or the file would change without need.
  const needed = cause === null ? found.filter(({ id }) => id === "D54").flatMap((one) => one.edits ?? []) : edits;
  return {
    report: { ...base, state: final === null ? "ready" : stateOf(final), cause: final, notes, diagnosis },
    edits: [...needed, ...(promoted === undefined ? [...extra, ...correctTarget(entry, config, cause)] : [])],
  };
}

function stateOf({ id }: CauseReport): "broken" | "credentials" {
  return causeWeight(id) === "credentials" ? "credentials" : "broken";
}

/** What a suspicion about the file explains, once the server has failed in this way. */
const EXPLAINED_BY: Readonly<Partial<Record<ConnectionCauseId, ReadonlySet<ConnectionCauseId>>>> = {
  D50: new Set(["D1", "D2", "D5", "D7", "D8", "D9", "D18", "D23", "D32", "D34", "D43", "D44", "D59"]),
  D51: new Set(["D1", "D2", "D3", "D5", "D7", "D9", "D43"]),
  D52: new Set(["D1", "D2", "D4", "D5", "D7", "D8", "D9", "D23", "D32", "D34", "D43"]),
};

function explains(finding: ConfigFinding, cause: CauseReport): boolean {
  const sameVariable =
    finding.variable === undefined || cause.variable === undefined || finding.variable === cause.variable;
  return sameVariable && EXPLAINED_BY[finding.id]?.has(cause.id) === true;
}

function transportOf({ command, url, type }: ServerEntry, { host }: HostConfig): ServerReport["transport"] {
  if (command !== undefined) return "stdio";
  if (url === undefined) return null;
  return (type ?? host.urlMeans)?.toLowerCase() === "sse" ? "sse" : "http";
}

async function start(
  { entry, folder }: ExpandedEntry,
  { file }: HostConfig,
  { machine, given, server, doctor }: ConfigRun,
): Promise<Diagnosis | undefined> {
  const { onStep: _, ...quiet } = doctor;
  const context = server === undefined ? quiet : doctor;
  if (entry.command !== undefined) {
    // A value for one server must not reach the others.
    const extra = server === undefined ? {} : given;
    const env = hostEnvironment(machine.env, { ...entry.env, ...extra });
    const withheld = new Set(Object.keys(machine.env).filter((name) => !(name in env)));
    const home = homeFolder(machine);
    const command = [entry.command, ...entry.args] as const;
    return diagnoseProgram({ command, folder, env, withheld, home, inFile: true }, context);
  }
  const url = URL.parse(entry.url ?? "");
  if (url === null || file.path === "") return undefined;
  const proxy = findProxy(url, machine.env);
  const login = basicCredentials(url);
  const headers = Object.fromEntries(Object.entries(entry.headers).map(([name, value]) => [name.toLowerCase(), value]));
  return diagnoseHttp(
    {
      url,
      headers: { ...(login !== undefined && { authorization: login }), ...headers },
      ...(proxy !== undefined && { proxy }),
    },
    context,
  );
}

/** What the diagnosis of an address comes to with the transport that the entry names. */
function judgeTransport(
  entry: ServerEntry,
  config: HostConfig,
  { cause, ready }: Diagnosis,
): { readonly cause: CauseReport | null; readonly extra: readonly TextEdit[] } {
  if (entry.url === undefined) return { cause, extra: [] };
  const says = transportOf(entry, config);
  const member = lastMember(entry.node, "type") ?? lastMember(entry.node, "transport");
  const { host } = config;
  if (cause?.id === "D30") {
    const same = cause.corrected?.url === entry.url || URL.parse(entry.url)?.href === cause.corrected?.url;
    // The old transport is what the entry says, and the server speaks it.
    if (says === "sse" && same) return { cause: null, extra: [] };
    if (says === "sse") return { cause, extra: [] };
    const shown = `"type": "sse"`;
    return {
      cause: reportCause({
        id: "D58",
        saw: `${cause.saw} The entry says ${entry.type === undefined ? "no transport" : quoteLine(entry.type)}.`,
        fix: `Write ${shown}${same ? "" : ` and the address ${cause.corrected?.url}`}, or upgrade the server to streamable HTTP.`,
        code: shown,
        ...(cause.corrected !== undefined && !same && { corrected: cause.corrected }),
      }),
      extra:
        member === undefined
          ? [insertMember(config.text, entry.node, "type", '"sse"')]
          : [{ start: member.value.start, end: member.value.end, text: '"sse"' }],
    };
  }
  if (!ready || says !== "sse") return { cause, extra: [] };
  const url = lastMember(entry.node, "url");
  const renames = entry.type === undefined && host.urlKey === "httpUrl" && url !== undefined;
  const wanted = renames ? '"httpUrl"' : `"type": "${host.httpType}"`;
  return {
    cause: reportCause({
      id: "D58",
      saw: `The server speaks streamable HTTP, and ${entry.type === undefined ? `${host.name} takes "url" for the old transport SSE` : 'the entry says "sse"'}.`,
      fix: renames ? 'Rename "url" to "httpUrl".' : `Write ${wanted}.`,
      code: wanted,
    }),
    extra: renames
      ? [{ ...url.key, text: wanted }]
      : member === undefined
        ? [insertMember(config.text, entry.node, "type", JSON.stringify(host.httpType))]
        : [{ start: member.value.start, end: member.value.end, text: JSON.stringify(host.httpType) }],
  };
}

/** The edits that put what leads to the server into the entry. Variables in it would be lost, so they forbid it. */
function correctTarget(entry: ServerEntry, config: HostConfig, cause: CauseReport | null): readonly TextEdit[] {
  const { url, command } = cause?.corrected ?? {};
  const address = ["url", "serverUrl", "httpUrl"]
    .map((name) => lastMember(entry.node, name))
    .find((one) => one !== undefined);
  if (url !== undefined && address !== undefined && entry.url?.includes("$") === false && !/[?@]/.test(entry.url))
    return [{ start: address.value.start, end: address.value.end, text: JSON.stringify(url) }];
  const args = lastMember(entry.node, "args")?.value;
  const added = command === undefined ? [] : command.slice(1, command.length - entry.args.length);
  return command !== undefined && args?.kind === "array" && config.text !== "" ? prependItems(args, added) : [];
}
