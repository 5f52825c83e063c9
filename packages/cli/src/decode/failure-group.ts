// A group of failures with the same cause: what is known about it, and which failures belong to it.

import { createHash } from "node:crypto";
import type { Fault } from "@recourse/faults";
import { CONNECTION_CAUSES, type ConnectionCauseId } from "@recourse/faults/explain";
import { fingerprint } from "@recourse/faults/retry";
import { cleanLogText } from "@recourse/faults/safety";
import { leakIn, sayRepeat } from "../explain/phrases.ts";
import { cutTo } from "../terminal/layout.ts";
import { printableLine } from "../terminal/printable.ts";
import { GENERAL_REASONS, LOG_TEXT, type LoggedFailure } from "./failures.ts";
import type { LoggedCause } from "./incidents.ts";

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
  /** Ids of incidents: those that callers were told. The first twenty. */
  readonly incidents: readonly string[];
  /** Commands that tell more. */
  readonly next: readonly string[];
  /** The first fault. */
  readonly fault?: Fault;
}

/** What is kept of a group at most. */
export const GROUP_LIMITS = { tools: 100, incidents: 20, sample: 300 } as const;

interface NameCounts {
  [name: string]: number;
}
/** A group that still grows. */
export type OpenGroup = { -readonly [K in keyof FailureGroup]: FailureGroup[K] } & {
  tools: NameCounts;
  upstreams: NameCounts;
  incidents: string[];
};

/** What is known about a failure besides. */
export interface FailureDetails {
  readonly tool?: string | undefined;
  readonly upstream?: string | undefined;
  readonly at?: string | undefined;
  /** Its id, then ids that others have given to it. */
  readonly ids: readonly string[];
  /** Who says so. Another one who says the same means the same failure. */
  readonly source: string;
  /** The id belongs to many failures. */
  readonly sharesId?: boolean | undefined;
  readonly causes?: readonly LoggedCause[];
}

export function openGroup(id: string, failure: LoggedFailure, { causes = [] }: FailureDetails): OpenGroup {
  const { fault, dialect, channel, text, cause, named = fault } = failure;
  // A line of a log was sent to nobody, so it gives nothing away. Secrets are cut out of it.
  const isSent = channel !== LOG_TEXT;
  const leak = isSent ? leakInJson(text) : undefined;
  const start = text.slice(0, 2 * GROUP_LIMITS.sample);
  const sample = cutTo(printableLine(isSent ? start : cleanLogText(start)), GROUP_LIMITS.sample);
  const thrown = causes.map(causeName).filter((name) => name !== "");
  return {
    fingerprint: id,
    count: 0,
    kind: named?.kind ?? (cause === undefined ? "looks_failed" : "connection"),
    ...(named && { reason: named.reason }),
    ...(cause !== undefined && { cause, title: CONNECTION_CAUSES[cause].title }),
    channel,
    ...(leak !== undefined ? { leak } : sample !== "" && { sample }),
    ...(thrown.length > 0 && { thrown: thrown.join(", caused by ") }),
    tools: {},
    upstreams: {},
    ...(dialect !== undefined && { dialect }),
    ...(fault && { effect: fault.effect, repeat: sayRepeat(fault), fault }),
    incidents: [],
    next: [],
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

/**
 * The cause decides: of a connection, or the reason of a fault with its upstream. Reasons that say no more than that something
 * failed are told apart by what was thrown or else by their texts, without what differs each time.
 */
export function groupFingerprint(
  { fault, text, cause, named = fault }: LoggedFailure,
  { upstream = "", causes = [] }: FailureDetails,
): string {
  const isVague = cause === undefined && (named === undefined || GENERAL_REASONS.has(named.reason));
  const root = causes.at(-1);
  const telling = root === undefined ? text : `${root.name} ${root.message}`;
  const words = isVague ? telling.slice(0, 500).replaceAll(/(["'`])[^"'`]*\1|[\w-]*\d[\w-]*/g, "…") : "";
  const identity = cause ?? (fault === undefined ? (named?.reason ?? "looks_failed") : fingerprint(fault));
  return createHash("sha256").update([identity, upstream, words].join("\n")).digest("hex").slice(0, 8);
}

export function tellingCommands({ incidents, reason, cause }: OpenGroup, file: string | undefined): string[] {
  const [id] = incidents;
  const topic = cause ?? reason;
  return [
    ...(id === undefined ? [] : [`recourse incident ${id}${file === undefined ? "" : ` ${file}`}`]),
    ...(topic === undefined ? [] : [`recourse explain ${topic}`]),
  ];
}

export function addName(counts: NameCounts, name: string | undefined): void {
  if (name === undefined) return;
  const shown = cutTo(printableLine(name.slice(0, 256)), 64);
  if (Object.hasOwn(counts, shown) || Object.keys(counts).length < GROUP_LIMITS.tools)
    counts[shown] = (counts[shown] ?? 0) + 1;
}

const MAX_CHANNELS = 4;

export function addChannel(group: OpenGroup, channel: string): void {
  const known = group.channel.split(", ");
  if (!known.includes(channel) && known.length < MAX_CHANNELS) group.channel = [...known, channel].join(", ");
}

export function addTime(times: { firstAt?: string; lastAt?: string }, at: string | undefined): void {
  if (at === undefined) return;
  if (times.firstAt === undefined || at < times.firstAt) times.firstAt = at;
  if (times.lastAt === undefined || at > times.lastAt) times.lastAt = at;
}
