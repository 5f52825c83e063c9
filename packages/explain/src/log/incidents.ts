import type { Fault } from "@recourse/core";
import { readFault } from "@recourse/core";
import {
  arrayAt,
  integerAt,
  isObject,
  type JsonObject,
  memberAt,
  numberAt,
  objectAt,
  parseJson,
  readId,
  stringAt,
} from "@recourse/core/wire";
import { readLogTime, splitPrefix } from "./line-prefix.ts";

/** Who wrote an incident down: a guarded server or client into its log, a gateway into its log, or a gateway's store. */
type IncidentAuthor = "server" | "gateway" | "store";

/** An incident as it stands in a log. Its texts are those of the log: clean them before you show them. */
export interface LoggedIncident {
  /** Who wrote it: a guarded server or client, or a gateway, into its log; or the store of a gateway. */
  readonly writer: IncidentAuthor;
  /** The id. @default none: the failure got no id */
  readonly id?: string;
  /** The kind of the failure. */
  readonly kind: string;
  /** The reason of the failure. */
  readonly reason: string;
  /** The fault. @default none: the writer kept only the kind and the reason */
  readonly fault?: Fault;
  /** When it happened, as ISO 8601. @default none */
  readonly at?: string;
  /** The text that was sent, as the model read it. @default none */
  readonly sentText?: string;
  /** The method of the request. @default none */
  readonly method?: string;
  /** The tool that was called. @default none */
  readonly tool?: string;
  /** The tenant of the caller. @default none */
  readonly tenant?: string;
  /** Who called. @default none */
  readonly caller?: string;
  /** The upstream of the gateway. @default none */
  readonly upstream?: string;
  /** The id that the upstream gave to the same failure. @default none */
  readonly upstreamIncident?: string;
  /** Groups incidents with the same cause at the gateway. @default none */
  readonly fingerprint?: string;
  /** How long the call took. @default none */
  readonly durationMs?: number;
  /** The JSON-RPC code that was sent. @default none */
  readonly code?: number;
  /** What was thrown, the thrown value first. */
  readonly causes: readonly LoggedCause[];
  /** Whether the gateway gave the id of an earlier failure to this one, because there were too many. @default false */
  readonly sharesId?: boolean;
}

/** One error behind an incident. */
export interface LoggedCause {
  /** How it is related: it was thrown, it caused the one before it, or it is one of several. */
  readonly relation: "thrown" | "cause" | "member";
  /** The name of its class. Empty if the text does not say it. */
  readonly name: string;
  /** Its message. */
  readonly message: string;
  /** What else it says, such as its code. */
  readonly fields: Readonly<Record<string, string>>;
  /** The lines of the stack. */
  readonly frames: readonly string[];
}

/** Text of an upstream's log that is read. */
const MAX_FORWARDED_TEXT = 64 * 1024;
const MAX_FORWARDED_LINES = 400;

/** The incidents in a JSON value: a line of a logger, or what the gateway's API answers. The gateway's own comes first. */
export function incidentsInValue(value: unknown): readonly LoggedIncident[] {
  if (!isObject(value)) return [];
  const logged = loggedObject(value) ?? storedRow(value);
  const upstream = stringAt(value, "upstream");
  if (logged === undefined) {
    // A gateway writes the log of a program that it started as messages of its own.
    const text = stringAt(value, "message") ?? stringAt(value, "msg");
    const entry = text === undefined ? undefined : incidentInText(text.slice(0, MAX_FORWARDED_TEXT).split("\n"));
    return entry === undefined ? [] : [withUpstream(entry, upstream)];
  }
  const log = stringAt(value, "upstreamLog") ?? stringAt(objectAt(value, "sample"), "upstreamLog");
  const entry = log === undefined ? undefined : incidentInText(log.slice(0, MAX_FORWARDED_TEXT).split("\n"));
  return entry === undefined ? [logged] : [logged, withUpstream(entry, upstream)];
}

function withUpstream(entry: LoggedIncident, upstream: string | undefined): LoggedIncident {
  return upstream === undefined ? entry : { ...entry, upstream };
}

/** What `loggerSink` writes, with the members that a logger adds. */
function loggedObject(value: JsonObject): LoggedIncident | undefined {
  const fault = readFault(value["fault"]);
  if (fault === undefined) return undefined;
  const stack = stringAt(objectAt(value, "err"), "stack");
  const isGateway = isObject(value["admission"]) || "upstream" in value || "tenant" in value;
  const at = fault.at ?? readLogTime(value["at"]) ?? timeInValue(value);
  return {
    writer: isGateway ? "gateway" : "server",
    ...(fault.incident !== undefined && { id: fault.incident }),
    kind: fault.kind,
    reason: fault.reason,
    fault,
    ...(at !== undefined && { at }),
    ...incidentFacts(value),
    causes: stack === undefined ? [] : causesInStack(stack.slice(0, MAX_FORWARDED_TEXT).split("\n")),
    ...(memberAt(objectAt(value, "admission"), "isKept") === false && { sharesId: true }),
  };
}

/** An incident as the gateway's API answers it. */
function storedRow(value: JsonObject): LoggedIncident | undefined {
  const id = readId(value["id"]);
  const kind = stringAt(value, "kind");
  const reason = stringAt(value, "reason");
  const fingerprint = stringAt(value, "fingerprint");
  if (id === undefined || kind === undefined || reason === undefined || fingerprint === undefined) return undefined;
  const sample = objectAt(value, "sample");
  const fault = readFault(memberAt(sample, "fault"));
  const at = readLogTime(value["at"]);
  return {
    writer: "store",
    id,
    kind,
    reason,
    ...(fault !== undefined && { fault }),
    ...(at !== undefined && { at }),
    ...incidentFacts({ ...sample, ...value }),
    causes: arrayAt(sample, "causes").slice(0, MAX_LOGGED_CAUSES).map(storedCause),
  };
}

function storedCause(cause: unknown): LoggedCause {
  const relation = stringAt(cause, "relation");
  const code = stringAt(cause, "code");
  const fields = Object.entries(objectAt(cause, "fields") ?? {}).filter(([, value]) => typeof value === "string");
  return {
    relation: relation === "cause" || relation === "member" ? relation : "thrown",
    name: stringAt(cause, "name") ?? "",
    message: stringAt(cause, "message") ?? "",
    fields: { ...(code !== undefined && { code }), ...(Object.fromEntries(fields) as Record<string, string>) },
    frames: arrayAt(cause, "frames")
      .filter((frame) => typeof frame === "string")
      .slice(0, MAX_CAUSE_FRAMES),
  };
}

const TEXT_FACTS = ["sentText", "method", "tool", "tenant", "upstream", "fingerprint"] as const;

function incidentFacts(value: JsonObject): Partial<LoggedIncident> {
  const texts = TEXT_FACTS.map((name) => [name, stringAt(value, name)] as const);
  const callerText = callerName(value["caller"]);
  const upstreamIncident = readId(value["upstreamIncident"]);
  const durationMs = numberAt(value, "durationMs");
  const code = integerAt(value, "code");
  return {
    ...(Object.fromEntries(texts.filter(([, text]) => text !== undefined && text !== "")) as Partial<LoggedIncident>),
    ...(callerText !== undefined && { caller: callerText }),
    ...(upstreamIncident !== undefined && { upstreamIncident }),
    ...(durationMs !== undefined && { durationMs }),
    ...(code !== undefined && { code }),
  };
}

/** A gateway names callers by a list of issuer, tenant and subject, in its API as JSON. */
function callerName(caller: unknown): string | undefined {
  const listed = typeof caller === "string" && caller.startsWith("[") ? parseJson(caller) : caller;
  const words = Array.isArray(listed) ? listed : [listed];
  return words.every((word) => typeof word === "string") ? words.slice(0, 10).join(" ") : undefined;
}

/** Names that loggers have for the time of a line. */
const TIME_NAMES = ["time", "timestamp", "ts", "@timestamp", "at", "date"] as const;

/** When a line of a logger was written. */
export function timeInValue(value: unknown): string | undefined {
  return TIME_NAMES.map((name) => readLogTime(memberAt(value, name))).find((time) => time !== undefined);
}

/** Where the pairs of an incident begin in a line, whatever a logger or a container put in front of them. */
const INCIDENT_PAIRS = /(?:^|[\s|:])((?:at=\d|kind=[a-z_]{1,32} class=).*)$/;
const PAIR = /([a-z_]{1,20})=("(?:[^"\\]|\\.)*"|[^\s"]+)(?: |$)/gy;
const MAX_PAIRS_TEXT = 32 * 1024;

/** The incident that `stderrSink` of a guarded server has written: a line of pairs, and the stack below it. */
export function incidentInText(lines: readonly string[]): LoggedIncident | undefined {
  const [first = "", ...below] = lines.slice(0, MAX_FORWARDED_LINES);
  if (!first.includes("kind=") || !first.includes(" reason=")) return undefined;
  const found = INCIDENT_PAIRS.exec(first.slice(0, MAX_PAIRS_TEXT));
  const pairs = logPairsIn(found?.[1] ?? "");
  const fault = readFault(faultFromPairs(pairs));
  if (fault === undefined) return undefined;
  const { method, tool, code, duration_ms: durationMs } = pairs;
  return {
    writer: "server",
    ...(fault.incident !== undefined && { id: fault.incident }),
    kind: fault.kind,
    reason: fault.reason,
    fault,
    ...(fault.at !== undefined && { at: fault.at }),
    ...(method !== undefined && { method }),
    ...(tool !== undefined && { tool }),
    ...(durationMs !== undefined && { durationMs: Number(durationMs) }),
    ...(code !== undefined && { code: Number(code) }),
    causes: causesInStack(below.map((line) => splitPrefix(line).rest.replace(/^ {1,2}/, ""))),
  };
}

type Pairs = Readonly<Record<string, string | undefined>>;

function logPairsIn(text: string): Pairs {
  const found = Array.from(text.matchAll(PAIR), ([, name = "", value = ""]) => [name, pairValue(value)] as const);
  return Object.fromEntries(found);
}

function pairValue(value: string): string {
  const parsed = value.startsWith('"') ? parseJson(value) : value;
  return typeof parsed === "string" ? parsed : value;
}

/** A fault as JSON, from the pairs that `render` writes for a log. */
function faultFromPairs(pairs: Pairs): unknown {
  const { kind, class: faultClass, reason, effect, next = "", message, incident, at, trace, basis, quote } = pairs;
  const afterMs = pairs["after_ms"];
  const moves = next.split(",").slice(0, 3);
  return {
    v: 1,
    kind,
    class: faultClass,
    reason,
    message,
    effect,
    basis,
    incident,
    at,
    trace,
    requestId: pairs["request_id"],
    origin: { layer: pairs["origin"], name: pairs["name"] },
    recourse: moves.map((move, index) => ({
      do: move,
      ...(index === 0 && afterMs !== undefined && { afterMs: Number(afterMs) }),
    })),
    ...(quote !== undefined && { quote: { text: quote, from: "peer" } }),
    ...(pairs["attempts"] !== undefined && {
      tried: {
        attempts: Number(pairs["attempts"]),
        elapsedMs: Number(pairs["elapsed_ms"]),
        stopped: pairs["stopped"],
      },
    }),
  };
}

const MAX_LOGGED_CAUSES = 10;
const MAX_CAUSE_FRAMES = 20;
const RELATED = /^(?:(caused by)|error \d{1,6} of \d{1,6}:) (.*)$/;

/** The errors in a stack, as incidents write them: `caused by` and `error 1 of 3:` begin the next one. */
function causesInStack(lines: readonly string[]): readonly LoggedCause[] {
  const causes: { relation: LoggedCause["relation"]; head: string[]; frames: string[]; fields: Pairs }[] = [];
  for (const line of lines) {
    const related = RELATED.exec(line);
    const last = causes.at(-1);
    if (last === undefined || related !== null) {
      if (causes.length >= MAX_LOGGED_CAUSES) break;
      if (line.trim() === "") continue;
      const relation = related === null ? "thrown" : related[1] === undefined ? "member" : "cause";
      causes.push({ relation, head: [related?.[2] ?? line], frames: [], fields: {} });
    } else if (/^\s{1,16}at /.test(line)) last.frames.push(line.trim());
    else if (/^\s{1,16}with [a-z]/i.test(line)) last.fields = fieldsIn(line.trim().slice("with ".length));
    else if (last.frames.length === 0) last.head.push(line);
  }
  return causes.map(({ relation, head, frames, fields }) => {
    const [, name = "", message = ""] = /^([\w$.]{1,128}): ?([\s\S]*)$/.exec(head.join("\n")) ?? [];
    return {
      relation,
      name,
      message: name === "" ? head.join("\n") : message,
      fields: fields as Record<string, string>,
      frames: frames.slice(0, MAX_CAUSE_FRAMES),
    };
  });
}

/** Fields of errors have names in mixed case. */
function fieldsIn(text: string): Pairs {
  const found = Array.from(
    text.slice(0, MAX_PAIRS_TEXT).matchAll(/([A-Za-z]{1,20})=("(?:[^"\\]|\\.)*"|[^\s"]+)(?: |$)/gy),
    ([, name = "", value = ""]) => [name, pairValue(value)] as const,
  );
  return Object.fromEntries(found);
}
