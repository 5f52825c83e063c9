// A group of failures with the same cause, as `recourse decode` writes it.

import { createHash } from "node:crypto";
import type { Fault } from "@recourse/core";
import { cleanLogText } from "@recourse/core/safety";
import {
  CONNECTION_CAUSES,
  type ConnectionCauseId,
  type FailureTally,
  type LoggedCause,
  type LoggedGroup,
  leakIn,
  sayRepeat,
} from "@recourse/explain";
import { cutTo } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";

/** Everything that was read. This is what `--json` prints. */
export interface LogSummary extends Omit<FailureTally, "groups"> {
  readonly groups: readonly FailureGroup[];
}

/** Failures with the same cause. This is what `--json` prints. */
export interface FailureGroup {
  /** Eight hexadecimal digits. The same in every log. */
  readonly fingerprint: string;
  readonly count: number;
  /** `looks_failed` for answers that say success and read like a failure; `connection` for servers that cannot be used. */
  readonly kind: string;
  readonly reason?: string;
  /** The cause of a connection problem, as `doctor` names it. */
  readonly cause?: ConnectionCauseId;
  /** What the cause means, in a few words. */
  readonly title?: string;
  /** Where it was seen. */
  readonly channel: string;
  /** The text of the first one: one line, cut, with control characters shown. Absent if it gives something away. */
  readonly sample?: string;
  /** What the text gives away. */
  readonly leak?: string;
  /** What was thrown, by class and code, the last one the root. Its text stays in the log. */
  readonly thrown?: string;
  /** How often by tool, as far as the log has the requests. */
  readonly tools: Readonly<Record<string, number>>;
  /** How often by upstream of a gateway. */
  readonly upstreams: Readonly<Record<string, number>>;
  readonly dialect?: string;
  readonly effect?: string;
  /** Whether the same call may be made again. */
  readonly repeat?: string;
  /** When it was seen first and last, as far as the log has times. */
  readonly firstAt?: string;
  readonly lastAt?: string;
  /** Ids of incidents: those that callers got. The first twenty. */
  readonly incidents: readonly string[];
  /** Commands that tell more. */
  readonly next: readonly string[];
  /** The first fault. */
  readonly fault?: Fault;
}

/** What is shown of a text and of a name. */
const MAX_GROUP_TEXT = 300;
const MAX_GROUP_NAME = 64;

/** @param file Named in the commands that tell more. */
export function describeLog(summary: FailureTally, file?: string): LogSummary {
  return { ...summary, groups: summary.groups.map((group) => describeGroup(group, file)) };
}

function describeGroup(group: LoggedGroup, file: string | undefined): FailureGroup {
  const { failure, key, count, causes, firstAt, lastAt, incidents } = group;
  const { fault, dialect, channel, text, cause, named = fault } = failure;
  // A line of a log was sent to nobody, so it gives nothing away. Secrets are cut out of it.
  const isSent = channel !== "text";
  const leak = isSent ? leakInJson(text) : undefined;
  const start = text.slice(0, 2 * MAX_GROUP_TEXT);
  const sample = cutTo(printableLine(isSent ? start : cleanLogText(start)), MAX_GROUP_TEXT);
  const thrown = causes.map(causeName).filter((name) => name !== "");
  return {
    fingerprint: createHash("sha256").update(key).digest("hex").slice(0, 8),
    count,
    kind: named?.kind ?? (cause === undefined ? "looks_failed" : "connection"),
    ...(named && { reason: named.reason }),
    ...(cause !== undefined && { cause, title: CONNECTION_CAUSES[cause].title }),
    channel: group.channels.join(", "),
    ...(leak !== undefined ? { leak } : sample !== "" && { sample }),
    ...(thrown.length > 0 && { thrown: thrown.join(", caused by ") }),
    tools: shownNames(group.tools),
    upstreams: shownNames(group.upstreams),
    ...(dialect !== undefined && { dialect }),
    ...(fault && { effect: fault.effect, repeat: sayRepeat(fault), fault }),
    ...(firstAt !== undefined && { firstAt }),
    ...(lastAt !== undefined && { lastAt }),
    incidents,
    next: tellingCommands({ id: incidents[0], topic: cause ?? named?.reason }, file),
  };
}

/** An error by class and code: no text of it, since it may say anything. */
function causeName({ name, fields }: LoggedCause): string {
  const words = [name, fields["code"]].filter((one) => one !== undefined && /^[\w$.-]{1,64}$/.test(one));
  return words.join(" ");
}

function leakInJson(text: string): string | undefined {
  return innerTexts(text)
    .map(leakIn)
    .find((one) => one !== undefined);
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

function tellingCommands(
  { id, topic }: { readonly id: string | undefined; readonly topic: string | undefined },
  file: string | undefined,
): string[] {
  return [
    ...(id === undefined ? [] : [`recourse incident ${id}${file === undefined ? "" : ` ${file}`}`]),
    ...(topic === undefined ? [] : [`recourse explain ${topic}`]),
  ];
}

/** Names as they are shown. Those that look the same then are counted together. */
function shownNames(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const shown: Record<string, number> = {};
  for (const [name, count] of Object.entries(counts)) {
    const short = cutTo(printableLine(name), MAX_GROUP_NAME);
    shown[short] = (Object.hasOwn(shown, short) ? (shown[short] ?? 0) : 0) + count;
  }
  return shown;
}
