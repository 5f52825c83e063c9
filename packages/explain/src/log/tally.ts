import { fingerprint } from "@recourse/core/retry";
import { NewestMap, objectAt, stringAt } from "@recourse/core/wire";
import {
  decodeLoggedFailure,
  GENERAL_REASONS,
  type LogChannel,
  type LoggedFailure,
  type LoggedMessage,
} from "./failures.ts";
import type { LoggedCause, LoggedIncident } from "./incidents.ts";

/** Why lines of a log were skipped: plain text or JSON without a failure, JSON that cannot be parsed, or a line that is too long. */
export type SkipReason = "text" | "json" | "malformed" | "tooLong";

/** Failures of a log with the same cause. */
export interface LoggedGroup {
  /** What the failures have in common. It is the same in every log. */
  readonly key: string;
  /** How many there are. */
  readonly count: number;
  /** The first one. */
  readonly failure: LoggedFailure;
  /** What was thrown when the first one happened. Empty if the log does not say it. */
  readonly causes: readonly LoggedCause[];
  /** The number of the line in which the first one begins, from 1. */
  readonly line: number;
  /** The number of the line in which the first one ends. */
  readonly lastLine: number;
  /** Where they were seen. */
  readonly channels: readonly LogChannel[];
  /** How often by tool, as far as the log has the requests. */
  readonly tools: Readonly<Record<string, number>>;
  /** How often by upstream of a gateway. */
  readonly upstreams: Readonly<Record<string, number>>;
  /** When the first one was seen. @default none: the log has no times */
  readonly firstAt?: string;
  /** When the last one was seen. @default none: the log has no times */
  readonly lastAt?: string;
  /** Ids of incidents that callers were given. The first twenty. */
  readonly incidents: readonly string[];
}

/** Everything that was read of a log. */
export interface FailureTally {
  /** Lines that are not empty: those with a message or a failure, and those that were skipped. */
  readonly lines: number;
  /** Lines with a message or a failure, and the stacks below them. */
  readonly understood: number;
  /** How many lines were skipped, and why. */
  readonly skipped: Readonly<Record<SkipReason, number>>;
  /** Messages of MCP. */
  readonly messages: number;
  /** Incidents that a server or a gateway has logged. */
  readonly incidents: number;
  /** All failures. */
  readonly failures: number;
  /** Incidents that the log has again, from another writer or as a message. They are counted once. */
  readonly repeated: number;
  /** The first time in the log. @default none: the log has no times */
  readonly firstAt?: string;
  /** The last time in the log. @default none: the log has no times */
  readonly lastAt?: string;
  /** The groups, the largest first. */
  readonly groups: readonly LoggedGroup[];
  /** Failures that belong to no group, because there were too many groups. */
  readonly ungrouped: number;
}

/** A failure in a message, with the request that it answers. */
interface AnsweredFailure {
  /** The failure. */
  readonly failure: LoggedFailure;
  /** The method of the request. @default none: the log does not have the request */
  readonly method?: string;
  /** The tool that was called. @default none: no tool was called, or the log does not have the request */
  readonly tool?: string;
}

/** Where something stands in a log. */
export interface LogPlace {
  /** The number of the first line, from 1. */
  readonly line: number;
  /** The number of the last line. */
  readonly lastLine: number;
  /** When the line was written. @default none: the line has no time */
  readonly at?: string | undefined;
}

/** Counts the failures of a log, message by message. */
export interface LogTally {
  /** Adds a message. Returns the failure in it. */
  addMessage(message: LoggedMessage, place: LogPlace): AnsweredFailure | undefined;
  /** Adds an incident. Returns false if it was counted already. */
  addIncident(incident: LoggedIncident, place: LogPlace): boolean;
  /** Adds a failure that a line of text is about. */
  addText(failure: LoggedFailure, place: LogPlace & { readonly upstream?: string | undefined }): void;
  /** Adds lines with something in them, or says why there is nothing in them. */
  addLines(count: number, what: "understood" | SkipReason): void;
  /** How much was counted so far. */
  progress(): LogProgress;
  /** What was counted so far. */
  summary(): FailureTally;
}

/** How much of a log was read. */
export interface LogProgress extends Pick<FailureTally, "lines" | "failures"> {}

/** What is kept at most, so that a log of any length can be read. */
const TALLY_LIMITS = { groups: 1_000, requests: 20_000, ids: 20_000, names: 100, incidents: 20 } as const;
const MAX_KEPT_NAME = 256;
const MAX_CHANNELS = 4;

const CHANNELS = { server: "server log", gateway: "gateway log", store: "gateway" } as const satisfies Record<
  LoggedIncident["writer"],
  LogChannel
>;

interface NameCounts {
  [name: string]: number;
}

/** A group that still grows. */
type OpenGroup = { -readonly [K in keyof LoggedGroup]: LoggedGroup[K] } & {
  channels: LogChannel[];
  tools: NameCounts;
  upstreams: NameCounts;
  incidents: string[];
};

/** What is known about a failure besides. */
interface FailureDetails extends LogPlace {
  readonly tool?: string | undefined;
  readonly upstream?: string | undefined;
  /** Its id, then ids that others have given to it. */
  readonly ids: readonly string[];
  /** Who says so. Another one who says the same means the same failure. */
  readonly source: string;
  /** The id belongs to many failures. */
  readonly sharesId?: boolean | undefined;
  readonly causes?: readonly LoggedCause[];
}

/** Starts to count the failures of a log. Failures with the same cause are one group. */
export function createLogTally(): LogTally {
  const groups = new Map<string, OpenGroup>();
  const requests = new NewestMap<string, { readonly method: string; readonly tool?: string }>(TALLY_LIMITS.requests);
  const seen = new NewestMap<string, { readonly group: OpenGroup; readonly sources: Set<string> }>(TALLY_LIMITS.ids);
  const skipped: Record<SkipReason, number> = { text: 0, json: 0, malformed: 0, tooLong: 0 };
  const counts = { understood: 0, messages: 0, incidents: 0, failures: 0, repeated: 0, ungrouped: 0 };
  const times: { firstAt?: string; lastAt?: string } = {};

  function remember({ body, conversation = "" }: LoggedMessage, method: string): void {
    const tool = method === "tools/call" ? stringAt(objectAt(body, "params"), "name") : undefined;
    requests.set(requestKey(conversation, body["id"]), tool === undefined ? { method } : { method, tool });
  }

  /** Whether a failure was counted already, from another writer. */
  function isRepeated(channel: LogChannel, { ids, source, sharesId }: FailureDetails): boolean {
    if (sharesId === true) return false;
    const known = ids.map((id) => seen.get(id)).find((one) => one !== undefined);
    if (known === undefined || known.sources.has(source)) return false;
    known.sources.add(source);
    addChannel(known.group, channel);
    const [own, upstream] = ids;
    if (own !== undefined && upstream !== undefined) {
      // Callers of a gateway were given the id of the gateway.
      const at = known.group.incidents.indexOf(upstream);
      if (at >= 0) known.group.incidents[at] = own;
    }
    for (const id of ids) seen.set(id, known);
    return true;
  }

  /** False if the failure was counted already. */
  function count(failure: LoggedFailure, details: FailureDetails): boolean {
    if (isRepeated(failure.channel, details)) {
      counts.repeated += 1;
      return false;
    }
    counts.failures += 1;
    const key = groupKey(failure, details);
    let group = groups.get(key);
    if (group === undefined && groups.size >= TALLY_LIMITS.groups) {
      counts.ungrouped += 1;
      return true;
    }
    group ??= openGroup(key, failure, details);
    groups.set(key, group);
    group.count += 1;
    addChannel(group, failure.channel);
    addName(group.tools, details.tool);
    addName(group.upstreams, details.upstream);
    addTime(group, details.at);
    const [own] = details.ids;
    if (own !== undefined && group.incidents.length < TALLY_LIMITS.incidents && !group.incidents.includes(own))
      group.incidents.push(own);
    for (const one of details.ids) seen.set(one, { group, sources: new Set([details.source]) });
    return true;
  }

  function countLines(): number {
    return counts.understood + skipped.text + skipped.json + skipped.malformed + skipped.tooLong;
  }

  return {
    addMessage(message, { at, ...span }) {
      counts.messages += 1;
      addTime(times, at);
      const method = stringAt(message.body, "method");
      if (method !== undefined && "id" in message.body) remember(message, method);
      const key = requestKey(message.conversation ?? "", message.body["id"]);
      const request = method === undefined ? requests.get(key) : undefined;
      if (request !== undefined) requests.delete(key);
      const tool = request?.tool ?? message.tool;
      const context = { ...(request && { method: request.method }), ...(tool !== undefined && { tool }) };
      const failure = decodeLoggedFailure(message, context);
      if (failure === undefined) return undefined;
      const { fault } = failure;
      const upstream = fault?.origin.layer === "upstream" ? fault.origin.name : undefined;
      const ids = fault?.incident === undefined ? [] : [fault.incident];
      count(failure, { ...span, tool, upstream, at: at ?? fault?.at, ids, source: "message" });
      return { failure, ...context };
    },
    addIncident(incident, { at, ...span }) {
      const { fault, id, kind, reason, upstreamIncident, tool, upstream, causes, sharesId, writer } = incident;
      counts.incidents += 1;
      const time = incident.at ?? at;
      addTime(times, time);
      const ids = [id, upstreamIncident].filter((one) => one !== undefined);
      const text = fault?.message ?? "";
      const failure = { ...(fault && { fault }), named: { kind, reason }, channel: CHANNELS[writer], text };
      return count(failure, { ...span, tool, upstream, at: time, ids, source: writer, sharesId, causes });
    },
    addText(failure, place) {
      addTime(times, place.at);
      count(failure, { ...place, ids: [], source: "text" });
    },
    addLines(lines, what) {
      if (what === "understood") counts.understood += lines;
      else skipped[what] += lines;
    },
    progress: () => ({ lines: countLines(), failures: counts.failures }),
    summary: () => ({
      lines: countLines(),
      ...counts,
      skipped: { ...skipped },
      ...times,
      groups: [...groups.values()].toSorted((a, b) => b.count - a.count),
    }),
  };
}

function openGroup(key: string, failure: LoggedFailure, { line, lastLine, causes = [] }: FailureDetails): OpenGroup {
  return { key, count: 0, failure, causes, line, lastLine, channels: [], tools: {}, upstreams: {}, incidents: [] };
}

/**
 * The cause decides: of a connection, or the reason of a fault with its upstream. Reasons that say no more than that
 * something failed are distinguished by what was thrown or else by their texts, without what differs each time.
 */
function groupKey(
  { fault, text, cause, named = fault }: LoggedFailure,
  { upstream = "", causes = [] }: FailureDetails,
): string {
  const isVague = cause === undefined && (named === undefined || GENERAL_REASONS.has(named.reason));
  const root = causes.at(-1);
  const telling = root === undefined ? text : `${root.name} ${root.message}`;
  const words = isVague ? telling.slice(0, 500).replaceAll(/(["'`])[^"'`]*\1|[\w-]*\d[\w-]*/g, "…") : "";
  const identity = cause ?? (fault === undefined ? (named?.reason ?? "looks_failed") : fingerprint(fault));
  return [identity, upstream, words].join("\n");
}

function addName(counts: NameCounts, name: string | undefined): void {
  if (name === undefined) return;
  const kept = name.slice(0, MAX_KEPT_NAME);
  if (Object.hasOwn(counts, kept) || Object.keys(counts).length < TALLY_LIMITS.names)
    counts[kept] = (counts[kept] ?? 0) + 1;
}

function addChannel({ channels }: OpenGroup, channel: LogChannel): void {
  if (!channels.includes(channel) && channels.length < MAX_CHANNELS) channels.push(channel);
}

function addTime(times: { firstAt?: string; lastAt?: string }, at: string | undefined): void {
  if (at === undefined) return;
  if (times.firstAt === undefined || at < times.firstAt) times.firstAt = at;
  if (times.lastAt === undefined || at > times.lastAt) times.lastAt = at;
}

/** Ids 1 and "1" are different ones. */
function requestKey(conversation: string, id: unknown): string {
  return `${conversation} ${JSON.stringify(id)}`;
}
