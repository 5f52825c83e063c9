import { createHash } from "node:crypto";
import { core, type Fault, tool as toolReasons } from "@recourse/faults";
import { objectAt, stringAt } from "@recourse/faults/internal-do-not-use";
import { fingerprint } from "@recourse/faults/retry";
import { leakIn } from "../explain/leaks.ts";
import { sayRepeat } from "../explain/phrases.ts";
import { printableLine } from "../terminal/printable.ts";
import { cutTo } from "../terminal/width.ts";
import { type Failure, failureIn } from "./failures.ts";
import type { Message } from "./messages.ts";

/** Failures that are the same. This is what `--json` prints. */
export interface Group {
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
export interface Summary {
  readonly messages: number;
  readonly failures: number;
  readonly groups: readonly Group[];
  /** Failures that belong to no group, because there were too many groups. */
  readonly ungrouped: number;
  /** Lines that look like JSON and could not be read. */
  readonly unreadable: number;
}

/** What is remembered at most, so that a log of any length can be read. */
export const LIMITS = { groups: 1_000, tools: 100, requests: 20_000, sample: 300 } as const;

type OpenGroup = { -readonly [K in keyof Group]: Group[K] } & { tools: Record<string, number> };

/** Counts failures message by message. */
export interface Tally {
  /** The failure in the message, with the request that it answers. */
  add(message: Message): { readonly failure: Failure; readonly method?: string; readonly tool?: string } | undefined;
  unreadable(): void;
  summary(): Summary;
}

export function createTally(): Tally {
  const groups = new Map<string, OpenGroup>();
  const requests = new Map<string, { readonly method: string; readonly tool?: string }>();
  const counts = { messages: 0, failures: 0, ungrouped: 0, unreadable: 0 };

  function remember({ body, conversation = "" }: Message, method: string): void {
    const tool = method === "tools/call" ? stringAt(objectAt(body, "params"), "name") : undefined;
    requests.set(keyOf(conversation, body["id"]), tool === undefined ? { method } : { method, tool });
    if (requests.size > LIMITS.requests) requests.delete(requests.keys().next().value ?? "");
  }

  function count(failure: Failure, tool: string | undefined): void {
    const id = fingerprintOf(failure);
    let group = groups.get(id);
    if (group === undefined && groups.size >= LIMITS.groups) {
      counts.ungrouped += 1;
      return;
    }
    group ??= openGroup(id, failure);
    groups.set(id, group);
    group.count += 1;
    if (tool === undefined) return;
    const name = cutTo(printableLine(tool), 64);
    if (Object.hasOwn(group.tools, name) || Object.keys(group.tools).length < LIMITS.tools)
      group.tools[name] = (group.tools[name] ?? 0) + 1;
  }

  return {
    add(message) {
      counts.messages += 1;
      const method = stringAt(message.body, "method");
      if (method !== undefined && "id" in message.body) remember(message, method);
      const key = keyOf(message.conversation ?? "", message.body["id"]);
      const request = method === undefined ? requests.get(key) : undefined;
      if (request !== undefined) requests.delete(key);
      const tool = request?.tool ?? message.tool;
      const context = { ...(request && { method: request.method }), ...(tool !== undefined && { tool }) };
      const failure = failureIn(message, context);
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
function keyOf(conversation: string, id: unknown): string {
  return `${conversation} ${JSON.stringify(id)}`;
}

function openGroup(id: string, { fault, dialect, channel, text }: Failure): OpenGroup {
  const leak = textsOf(text)
    .map(leakIn)
    .find((one) => one !== undefined);
  const sample = cutTo(printableLine(text), LIMITS.sample);
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
function textsOf(text: string): string[] {
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

const VAGUE: ReadonlySet<string> = new Set([
  core.unrecognised.id,
  core.internal.id,
  toolReasons.failed.id,
  toolReasons.execution_failed.id,
]);

/** Reasons that say no more than that something failed are told apart by their texts, without what differs each time. */
function fingerprintOf({ fault, channel, text }: Failure): string {
  const isVague = fault === undefined || VAGUE.has(fault.reason);
  const words = isVague ? text.slice(0, 500).replaceAll(/(["'`]).*?\1|[\w-]*\d[\w-]*/g, "…") : "";
  const identity = fault === undefined ? "looks_failed" : fingerprint(fault);
  return createHash("sha256").update([identity, channel, words].join("\n")).digest("hex").slice(0, 8);
}
