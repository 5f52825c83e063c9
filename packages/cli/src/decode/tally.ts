import { objectAt, stringAt } from "@recourse/wire";
import {
  addChannel,
  addName,
  addTime,
  type FailureDetails,
  type FailureGroup,
  GROUP_LIMITS,
  groupFingerprint,
  type OpenGroup,
  openGroup,
  tellingCommands,
} from "./failure-group.ts";
import { decodeLoggedFailure, LOG_TEXT, type LoggedFailure, type LoggedMessage } from "./failures.ts";
import type { LoggedIncident } from "./incidents.ts";

/** Why lines were skipped. */
export const SKIP_REASONS = {
  text: "plain text without a known failure",
  json: "JSON without a message of MCP or a failure",
  malformed: "JSON that is cut or malformed",
  tooLong: "longer than 16 MB",
} as const satisfies Record<string, string>;
/** Why a line was skipped. */
export type SkipReason = keyof typeof SKIP_REASONS;

/** Everything that was read. */
export interface LogSummary {
  /** Lines that are not empty: those with a message or a failure, and those that were skipped. */
  readonly lines: number;
  /** Lines with a message or a failure, and the stacks below them. */
  readonly understood: number;
  readonly skipped: Readonly<Record<SkipReason, number>>;
  /** Messages of MCP. */
  readonly messages: number;
  /** Incidents that a server or a gateway has logged. */
  readonly incidents: number;
  readonly failures: number;
  /** Incidents that stand in the log again, written by somebody else or as a message. They are counted once. */
  readonly repeated: number;
  readonly firstAt?: string;
  readonly lastAt?: string;
  readonly groups: readonly FailureGroup[];
  /** Failures that belong to no group, because there were too many groups. */
  readonly ungrouped: number;
}

/** Counts failures message by message. */
export interface FailureTally {
  /** The failure in the message, with the request that it answers. */
  addMessage(
    message: LoggedMessage,
    at?: string,
  ): { readonly failure: LoggedFailure; readonly method?: string; readonly tool?: string } | undefined;
  /** False if it was counted already. */
  addIncident(incident: LoggedIncident, at?: string): boolean;
  addText(
    failure: LoggedFailure,
    context: { readonly at?: string | undefined; readonly upstream?: string | undefined },
  ): void;
  /** Lines with something in them, or why there is nothing in them. */
  addLines(count: number, what: "understood" | SkipReason): void;
  summary(): LogSummary;
}

/** What is remembered at most, so that a log of any length can be read. */
export const TALLY_LIMITS = { groups: 1_000, requests: 20_000, ids: 20_000 } as const;

const CHANNELS = { server: "server log", gateway: "gateway log", store: "gateway" } as const satisfies Record<
  LoggedIncident["writer"],
  string
>;

/** @param file Named in the commands that tell more. */
export function createTally(file?: string): FailureTally {
  const groups = new Map<string, OpenGroup>();
  const requests = new Map<string, { readonly method: string; readonly tool?: string }>();
  const seen = new Map<string, { readonly group: OpenGroup; readonly sources: Set<string> }>();
  const skipped: Record<SkipReason, number> = { text: 0, json: 0, malformed: 0, tooLong: 0 };
  const counts = { understood: 0, messages: 0, incidents: 0, failures: 0, repeated: 0, ungrouped: 0 };
  const times: { firstAt?: string; lastAt?: string } = {};

  function remember({ body, conversation = "" }: LoggedMessage, method: string): void {
    const tool = method === "tools/call" ? stringAt(objectAt(body, "params"), "name") : undefined;
    requests.set(requestKey(conversation, body["id"]), tool === undefined ? { method } : { method, tool });
    dropOldest(requests, TALLY_LIMITS.requests);
  }

  /** Whether a failure is one that was counted already, seen by somebody else. */
  function isRepeated(channel: string, { ids, source, sharesId }: FailureDetails): boolean {
    if (sharesId === true) return false;
    const known = ids.map((id) => seen.get(id)).find((one) => one !== undefined);
    if (known === undefined || known.sources.has(source)) return false;
    known.sources.add(source);
    addChannel(known.group, channel);
    const [own, upstream] = ids;
    if (own !== undefined && upstream !== undefined) {
      // Callers of a gateway were told the id of the gateway.
      const at = known.group.incidents.indexOf(upstream);
      if (at >= 0) known.group.incidents[at] = own;
      known.group.next = tellingCommands(known.group, file);
    }
    for (const id of ids) seen.set(id, known);
    return true;
  }

  /** False if the failure was counted already. */
  function count(failure: LoggedFailure, context: FailureDetails): boolean {
    if (isRepeated(failure.channel, context)) {
      counts.repeated += 1;
      return false;
    }
    counts.failures += 1;
    const id = groupFingerprint(failure, context);
    let group = groups.get(id);
    if (group === undefined && groups.size >= TALLY_LIMITS.groups) {
      counts.ungrouped += 1;
      return true;
    }
    group ??= openGroup(id, failure, context);
    groups.set(id, group);
    group.count += 1;
    addChannel(group, failure.channel);
    addName(group.tools, context.tool);
    addName(group.upstreams, context.upstream);
    addTime(group, context.at);
    const [own] = context.ids;
    if (own !== undefined && group.incidents.length < GROUP_LIMITS.incidents && !group.incidents.includes(own))
      group.incidents.push(own);
    group.next = tellingCommands(group, file);
    for (const one of context.ids) seen.set(one, { group, sources: new Set([context.source]) });
    dropOldest(seen, TALLY_LIMITS.ids);
    return true;
  }

  return {
    addMessage(message, at) {
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
      count(failure, { tool, upstream, at: at ?? fault?.at, ids, source: "message" });
      return { failure, ...context };
    },
    addIncident(incident, at) {
      const { fault, id, kind, reason, upstreamIncident, tool, upstream, causes, sharesId, writer } = incident;
      counts.incidents += 1;
      const time = incident.at ?? at;
      addTime(times, time);
      const ids = [id, upstreamIncident].filter((one) => one !== undefined);
      const text = fault?.message ?? "";
      const failure = { ...(fault && { fault }), named: { kind, reason }, channel: CHANNELS[writer], text };
      return count(failure, { tool, upstream, at: time, ids, source: writer, sharesId, causes });
    },
    addText(failure, { at, upstream }) {
      addTime(times, at);
      count(failure, { at, upstream, ids: [], source: LOG_TEXT });
    },
    addLines(lines, what) {
      if (what === "understood") counts.understood += lines;
      else skipped[what] += lines;
    },
    summary: () => ({
      lines: Object.values(skipped).reduce((sum, one) => sum + one, counts.understood),
      ...counts,
      skipped: { ...skipped },
      ...times,
      groups: [...groups.values()].toSorted((a, b) => b.count - a.count),
    }),
  };
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  while (map.size > max) map.delete(map.keys().next().value ?? "");
}

/** Ids 1 and "1" are different ones. */
function requestKey(conversation: string, id: unknown): string {
  return `${conversation} ${JSON.stringify(id)}`;
}
