import type { Fault } from "@recourse/core";
import { readId } from "@recourse/core/wire";
import { type LogEntry, type LoggedIncident, readLogEntries } from "@recourse/explain";
import { chunksUntilAborted, readLogLines } from "../decode/read-log.ts";
import type { LogSource } from "./sources.ts";

/** A place where an incident was found. */
export type Sighting = { readonly source: string; readonly line?: number } & (
  | { readonly type: "incident"; readonly incident: LoggedIncident }
  /** An answer of MCP that names the id. */
  | { readonly type: "message"; readonly fault: Fault; readonly text: string }
  /** A line that names the id and says nothing else that can be read. */
  | { readonly type: "mention"; readonly text: string }
);

/** What was looked through. */
export interface SearchedSource {
  readonly name: string;
  readonly lines: number;
  readonly firstAt?: string;
  readonly lastAt?: string;
  /** Why it was not read to its end. */
  readonly failed?: string;
}

/** What a search knows: the ids that belong to one failure, and where they were found. */
export interface IncidentSearch {
  /** The ids that were asked for, then those that are linked with them. */
  readonly ids: Set<string>;
  readonly sightings: Sighting[];
  readonly searched: SearchedSource[];
}

/** What is kept of a search. */
const MAX_IDS = 20;
const MAX_SIGHTINGS = 50;
const MAX_MENTION = 2_000;
const MAX_LINK_ROUNDS = 3;
/** What of an input that can be read once is kept to follow links, in bytes. */
const MAX_REMEMBERED = 64 * 1024 * 1024;

export function createSearch(ids: readonly string[]): IncidentSearch {
  return { ids: new Set(ids), sightings: [], searched: [] };
}

/** Adds what was found and follows its links: to the upstream's own incident, and from there to the gateway's. */
export function addSighting(search: IncidentSearch, sighting: Sighting): void {
  const isKnown = search.sightings.some((one) => sightingKey(one) === sightingKey(sighting));
  if (!isKnown && search.sightings.length < MAX_SIGHTINGS) search.sightings.push(sighting);
  for (const id of linkedIds(sighting)) if (search.ids.size < MAX_IDS) search.ids.add(id);
}

/** What is found again for a linked id is the same. */
function sightingKey(sighting: Sighting): string {
  const { source, line, type } = sighting;
  const about = type === "incident" ? `${sighting.incident.writer} ${sighting.incident.id}` : "";
  return `${source} ${line} ${type} ${about}`;
}

function linkedIds(sighting: Sighting): readonly string[] {
  switch (sighting.type) {
    case "incident": {
      const { id, upstreamIncident, fault } = sighting.incident;
      return [id, upstreamIncident, ...faultIds(fault)].filter((one) => one !== undefined);
    }
    case "message":
      return faultIds(sighting.fault);
    case "mention":
      return [];
    default:
      return sighting satisfies never;
  }
}

/** The ids of a fault and of those behind it. */
function faultIds(fault: Fault | undefined): readonly string[] {
  if (fault === undefined) return [];
  const id = readId(fault.incident);
  return [...(id === undefined ? [] : [id]), ...faultIds(fault.cause)];
}

/** Looks for the ids of a search in logs, and again for ids that were found to belong to the same failure. */
export async function searchLogs(
  search: IncidentSearch,
  sources: readonly LogSource[],
  options: { readonly signal: AbortSignal; readonly onProgress: (source: string, lines: number) => void },
): Promise<void> {
  let wanted = [...search.ids];
  for (let round = 0; round < MAX_LINK_ROUNDS && wanted.length > 0 && !options.signal.aborted; round += 1) {
    const known = new Set(search.ids);
    for (const source of sources) {
      const done = await searchSource(search, source, { ...options, wanted: new Set(wanted) });
      if (round === 0) search.searched.push(done);
    }
    wanted = [...search.ids].filter((id) => !known.has(id));
  }
}

const PROGRESS_LINES = 100_000;

async function searchSource(
  search: IncidentSearch,
  source: LogSource,
  {
    wanted,
    signal,
    onProgress,
  }: {
    readonly wanted: ReadonlySet<string>;
    readonly signal: AbortSignal;
    readonly onProgress: (source: string, lines: number) => void;
  },
): Promise<SearchedSource> {
  let lines = 0;
  let firstAt: string | undefined;
  let last: LogEntry | undefined;
  const about = (failed?: string): SearchedSource => {
    const lastAt = last?.readTime();
    return {
      name: source.name,
      lines,
      ...(firstAt !== undefined && { firstAt }),
      ...(lastAt !== undefined && { lastAt }),
      ...(failed !== undefined && { failed }),
    };
  };
  try {
    for await (const entry of readLogEntries(readLogLines(chunksUntilAborted(source.read(), signal)))) {
      if (Math.floor((lines + entry.count) / PROGRESS_LINES) > Math.floor(lines / PROGRESS_LINES))
        onProgress(source.name, lines);
      lines += entry.count;
      if (firstAt === undefined && lines < PROGRESS_LINES) firstAt = entry.readTime();
      if (mayHaveTime(entry)) last = entry;
      if (!namesAny(entry, wanted)) continue;
      for (const sighting of sightingsIn(entry, wanted))
        addSighting(search, { ...sighting, source: source.name, line: entry.line });
    }
  } catch (error) {
    return about(readingFailure(error));
  }
  return about();
}

/** A file that cannot be read, or a compressed file that is damaged, ends its own search only. */
function readingFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (typeof code === "string") return code;
  throw error;
}

function namesAny({ texts }: LogEntry, wanted: ReadonlySet<string>): boolean {
  for (const id of wanted) if (texts.some((text) => text.includes(id))) return true;
  return false;
}

/** Parsing every line for its time would take most of the time of a search. */
function mayHaveTime({ texts: [first = ""] }: LogEntry): boolean {
  return /\d{4}-\d\d-\d\d[T ]\d\d:|"(?:time|ts)":\d{10}/.test(first.slice(0, 200));
}

type FoundHere = Sighting extends infer S ? (S extends Sighting ? Omit<S, "source" | "line"> : never) : never;

/** What an entry says about the wanted ids. */
function sightingsIn(entry: LogEntry, wanted: ReadonlySet<string>): readonly FoundHere[] {
  const { incidents, failures } = entry.readContent();
  const isWanted = (id: string | undefined) => id !== undefined && wanted.has(id);
  if (incidents.some(({ id, upstreamIncident }) => isWanted(id) || isWanted(upstreamIncident)))
    return incidents.map((incident) => ({ type: "incident", incident }));
  const sightings = failures.flatMap(({ fault, text }): readonly FoundHere[] =>
    fault !== undefined && faultIds(fault).some(isWanted) ? [{ type: "message", fault, text }] : [],
  );
  if (sightings.length > 0) return sightings.slice(0, MAX_SIGHTINGS);
  return [{ type: "mention", text: mentionText(entry.texts, wanted) }];
}

/** The part of a line around the id. */
function mentionText(texts: readonly string[], wanted: ReadonlySet<string>): string {
  const all = texts.join("\n");
  const at = Math.max(0, ...[...wanted].map((id) => all.indexOf(id)));
  const start = at < MAX_MENTION / 2 ? 0 : at - MAX_MENTION / 2;
  return all.slice(start, start + MAX_MENTION);
}

/** An input that can be read once. Its beginning is kept, so that links can be followed in it. */
export function rereadable(name: string, input: AsyncIterable<Uint8Array>): LogSource {
  const kept: Uint8Array[] = [];
  let room = MAX_REMEMBERED;
  let isRead = false;
  return {
    name,
    async *read() {
      if (isRead) {
        yield* kept;
        return;
      }
      isRead = true;
      for await (const chunk of input) {
        room -= chunk.length;
        if (room > 0) kept.push(chunk);
        yield chunk;
      }
    },
  };
}

/** What belongs to the failure with this id: what names it, and what is linked with that. */
export function relatedSightings(id: string, sightings: readonly Sighting[]): readonly Sighting[] {
  const linked = new Set([id]);
  let size = 0;
  while (size !== linked.size) {
    size = linked.size;
    for (const sighting of sightings) {
      const own = sightingIds(sighting);
      if (own.some((one) => linked.has(one))) for (const one of own) linked.add(one);
    }
  }
  return sightings.filter((one) => sightingIds(one).some((other) => linked.has(other)) || namesOnly(one, id));
}

function namesOnly(sighting: Sighting, id: string): boolean {
  return sighting.type === "mention" && sighting.text.includes(id);
}

function sightingIds(sighting: Sighting): readonly string[] {
  if (sighting.type === "mention") return [];
  const { fault } = sighting.type === "message" ? sighting : sighting.incident;
  const more = sighting.type === "incident" ? [sighting.incident.id, sighting.incident.upstreamIncident] : [];
  return [...more, fault?.incident, fault?.cause?.incident].filter((one) => one !== undefined);
}

/** Whether an id is one of those that the sightings have. */
export function isLinked(id: string, related: readonly Sighting[]): boolean {
  return related.some((one) => sightingIds(one).includes(id));
}

/** One incident for each id and program, whichever place says most: the log and the store of a gateway have the same. */
export function mergeIncidents(sightings: readonly Sighting[]): readonly LoggedIncident[] {
  const merged = new Map<string, LoggedIncident>();
  for (const sighting of sightings) {
    if (sighting.type !== "incident") continue;
    const { incident } = sighting;
    const key = `${incident.id} ${incident.writer === "server"}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? incident : mergeTwo(known, incident));
  }
  return [...merged.values()].toSorted((a, b) => Number(a.writer === "server") - Number(b.writer === "server"));
}

function mergeTwo(a: LoggedIncident, b: LoggedIncident): LoggedIncident {
  const [more, less] = countCauseDetails(a) >= countCauseDetails(b) ? [a, b] : [b, a];
  return { ...less, ...more };
}

function countCauseDetails({ causes }: LoggedIncident): number {
  return causes.reduce((sum, { frames, message }) => sum + frames.length + Math.min(message.length, 1), causes.length);
}
