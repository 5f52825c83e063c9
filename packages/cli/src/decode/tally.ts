import { createHash } from "node:crypto";
import { core, type Fault, tool as toolReasons } from "@recourse/faults";
import { fingerprint } from "@recourse/faults/retry";
import { objectAt, stringAt } from "@recourse/wire";
import { leakIn, sayRepeat } from "../explain/phrases.ts";
import { cutTo } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { decodeLoggedFailure, type LoggedFailure, type LoggedMessage } from "./failures.ts";

/** Failures that are the same. This is what `--json` prints. */
export interface FailureGroup {
  /** Eight hexadecimal digits. The same in every log. */
  readonly fingerprint: string;
  readonly count: number;
  /** `looks_failed` for answers that say success and read like a failure. */
  readonly kind: string;
  readonly reason?: string;
  readonly channel: string;
  /** The text of the first one: one line, cut, with control characters shown. Absent if it gives something away. */
  readonly sample?: string;
  /** What the text gives away. */
  readonly leak?: string;
  /** How often by tool, as far as the log has the requests. */
  readonly tools: Readonly<Record<string, number>>;
  readonly dialect?: string;
  readonly effect?: string;
  /** Whether the same call may be made again. */
  readonly repeat?: string;
  /** The first fault. */
  readonly fault?: Fault;
}

/** Everything that was read. */
export interface LogSummary {
  readonly messages: number;
  readonly failures: number;
  readonly groups: readonly FailureGroup[];
  /** Failures that belong to no group, because there were too many groups. */
  readonly ungrouped: number;
  /** Lines that look like JSON and could not be read. */
  readonly unreadable: number;
}

/** What is remembered at most, so that a log of any length can be read. */
export const TALLY_LIMITS = { groups: 1_000, tools: 100, requests: 20_000, sample: 300 } as const;

type OpenGroup = { -readonly [K in keyof FailureGroup]: FailureGroup[K] } & { tools: Record<string, number> };

/** Counts failures message by message. */
export interface FailureTally {
  /** The failure in the message, with the request that it answers. */
  add(
    message: LoggedMessage,
  ): { readonly failure: LoggedFailure; readonly method?: string; readonly tool?: string } | undefined;
  unreadable(): void;
  summary(): LogSummary;
}

export function createTally(): FailureTally {
  const groups = new Map<string, OpenGroup>();
  const requests = new Map<string, { readonly method: string; readonly tool?: string }>();
  const counts = { messages: 0, failures: 0, ungrouped: 0, unreadable: 0 };

  function remember({ body, conversation = "" }: LoggedMessage, method: string): void {
    const tool = method === "tools/call" ? stringAt(objectAt(body, "params"), "name") : undefined;
    requests.set(requestKey(conversation, body["id"]), tool === undefined ? { method } : { method, tool });
    if (requests.size > TALLY_LIMITS.requests) requests.delete(requests.keys().next().value ?? "");
  }

  function count(failure: LoggedFailure, tool: string | undefined): void {
    const id = groupFingerprint(failure);
    let group = groups.get(id);
    if (group === undefined && groups.size >= TALLY_LIMITS.groups) {
      counts.ungrouped += 1;
      return;
    }
    group ??= openGroup(id, failure);
    groups.set(id, group);
    group.count += 1;
    if (tool === undefined) return;
    const name = cutTo(printableLine(tool), 64);
    if (Object.hasOwn(group.tools, name) || Object.keys(group.tools).length < TALLY_LIMITS.tools)
      group.tools[name] = (group.tools[name] ?? 0) + 1;
  }

  return {
    add(message) {
      counts.messages += 1;
      const method = stringAt(message.body, "method");
      if (method !== undefined && "id" in message.body) remember(message, method);
      const key = requestKey(message.conversation ?? "", message.body["id"]);
      const request = method === undefined ? requests.get(key) : undefined;
      if (request !== undefined) requests.delete(key);
      const tool = request?.tool ?? message.tool;
      const context = { ...(request && { method: request.method }), ...(tool !== undefined && { tool }) };
      const failure = decodeLoggedFailure(message, context);
      if (failure === undefined) return undefined;
      counts.failures += 1;
      count(failure, tool);
      return { failure, ...context };
    },
    unreadable() {
      counts.unreadable += 1;
    },
    summary: () => ({ ...counts, groups: [...groups.values()].toSorted((a, b) => b.count - a.count) }),
  };
}

/** Ids 1 and "1" are different ones. */
function requestKey(conversation: string, id: unknown): string {
  return `${conversation} ${JSON.stringify(id)}`;
}

function openGroup(id: string, { fault, dialect, channel, text }: LoggedFailure): OpenGroup {
  const leak = innerTexts(text)
    .map(leakIn)
    .find((one) => one !== undefined);
  const sample = cutTo(printableLine(text), TALLY_LIMITS.sample);
  return {
    fingerprint: id,
    count: 0,
    kind: fault?.kind ?? "looks_failed",
    ...(fault && { reason: fault.reason }),
    channel,
    ...(leak !== undefined ? { leak } : sample !== "" && { sample }),
    tools: {},
    ...(dialect !== undefined && { dialect }),
    ...(fault && { effect: fault.effect, repeat: sayRepeat(fault), fault }),
  };
}

/** The texts to judge: those inside of JSON, whose brackets would be taken for code. */
function innerTexts(text: string): string[] {
  const texts: string[] = [];
  const collect = (_: string, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  };
  try {
    JSON.parse(text, collect);
    return texts;
  } catch {
    return [text];
  }
}

const UNTELLING_REASONS: ReadonlySet<string> = new Set([
  core.unrecognised.id,
  core.internal.id,
  toolReasons.failed.id,
  toolReasons.execution_failed.id,
]);

/** Reasons that say no more than that something failed are told apart by their texts, without what differs each time. */
function groupFingerprint({ fault, channel, text }: LoggedFailure): string {
  const isVague = fault === undefined || UNTELLING_REASONS.has(fault.reason);
  const words = isVague ? text.slice(0, 500).replaceAll(/(["'`]).*?\1|[\w-]*\d[\w-]*/g, "…") : "";
  const identity = fault === undefined ? "looks_failed" : fingerprint(fault);
  return createHash("sha256").update([identity, channel, words].join("\n")).digest("hex").slice(0, 8);
}
