import type { Fault } from "@recourse/core";
import { detect } from "@recourse/core/dialects";
import { failureSign, mayBeFailure } from "@recourse/core/proxy";
import { core, tool } from "@recourse/core/reasons";
import { installTextFilter } from "@recourse/core/safety";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";
import type { ConnectionCauseId } from "../data/causes.ts";
import { readFailure } from "../paste/read-failure.ts";
import type { LogBlock } from "./blocks.ts";
import { readLevel, splitPrefix } from "./line-prefix.ts";

/** Where a failure was seen: in an answer, in an incident that was logged, or in a line of text. */
export type LogChannel =
  | "isError"
  | "result"
  | `error ${number}`
  | `HTTP ${number}`
  | "says success"
  | "server log"
  | "gateway log"
  | "gateway"
  | "text";

/** A failure in a log. */
export interface LoggedFailure {
  /** The fault. @default none: the answer says success and reads like a failure, or the cause is one of the connection */
  readonly fault?: Fault;
  /** The dialect that it was written in. @default none */
  readonly dialect?: string;
  /** Where it was seen, such as `isError`, `error -32602` or `HTTP 429`. */
  readonly channel: LogChannel;
  /** The text as it was sent. It may hold anything. */
  readonly text: string;
  /** Why a server does not start or cannot be reached. @default none: the text is about a call */
  readonly cause?: ConnectionCauseId;
  /** What is known of a fault that was not kept whole. @default the fault */
  readonly named?: { readonly kind: string; readonly reason: string };
}

/** Reasons that say no more than that something failed. */
export const GENERAL_REASONS: ReadonlySet<string> = new Set([
  core.unrecognised.id,
  core.internal.id,
  tool.failed.id,
  tool.execution_failed.id,
]);

/** Texts that begin so are about failures, whatever the result says. */
const FAILED_TEXT = /^\W{0,3}(?:Error|Exception|Failed|Fatal|Traceback)\b/;

/** Data without a text is shown up to this length. */
const MAX_DATA = 500;

/** The failure in an answer. Undefined for a success, a request and a notification. */
export function decodeLoggedFailure(
  { body, http }: LoggedMessage,
  context: { readonly method?: string; readonly tool?: string },
): LoggedFailure | undefined {
  if (typeof body["method"] === "string") return undefined;
  const result = objectAt(body, "result") ?? body;
  const hasStatus = http !== undefined && http.status >= 400;
  if (hasStatus || "error" in body || mayBeFailure(result)) {
    const wire = hasStatus ? { ...http, body } : body;
    installTextFilter();
    const found = detect(wire, { ...context, textPolicy: "foreign" });
    if (found !== undefined) return { ...found, channel: failureChannel(body, http?.status), text: loggedText(body) };
  }
  const text = loggedText(body);
  const looksFailed = failureSign(result) !== undefined || FAILED_TEXT.test(text);
  return looksFailed ? { channel: "says success", text } : undefined;
}

function failureChannel(body: JsonObject, status: number | undefined): LogChannel {
  const code = memberAt(objectAt(body, "error"), "code");
  if (typeof code === "number") return `error ${code}`;
  if (memberAt(objectAt(body, "result") ?? body, "isError") === true) return "isError";
  return status === undefined ? "result" : `HTTP ${status}`;
}

function loggedText(body: JsonObject): string {
  const error = stringAt(objectAt(body, "error"), "message");
  const block = arrayAt(objectAt(body, "result") ?? body, "content").find((one) => stringAt(one, "type") === "text");
  const structured = objectAt(objectAt(body, "result") ?? body, "structuredContent");
  const data = structured === undefined ? "" : JSON.stringify(structured).slice(0, MAX_DATA);
  return error ?? stringAt(block, "text") ?? stringAt(body, "text") ?? data;
}

/** One message of a log. */
export interface LoggedMessage {
  /** The message. A text that is not JSON is its member `text`. */
  readonly body: JsonObject;
  /** The HTTP status and headers that it came with. @default none */
  readonly http?: { readonly status: number; readonly headers: JsonObject };
  /** The tool that was called. @default none: the log does not say it */
  readonly tool?: string;
  /** Keeps ids of one conversation apart from those of another. @default none: the log has one */
  readonly conversation?: string;
}

/** Recordings of `recourse probe` name their format, with a version behind it. */
const RECORDING_PREFIX = "recourse-recording/";

/** Objects of loggers hold the message in a member, or in a member of a member. */
const MAX_LOGGER_DEPTH = 3;

/** The messages in a JSON value: itself, the items of a batch, what a recording holds, or what a logger put around it. */
export function* loggedMessages(value: unknown, depth = 0): Generator<LoggedMessage> {
  if (Array.isArray(value)) {
    // Lists in lists are no messages, and thousands of them would exhaust the stack.
    if (depth < MAX_LOGGER_DEPTH) for (const item of value) yield* loggedMessages(item, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  if (stringAt(value, "format")?.startsWith(RECORDING_PREFIX) === true) yield* recordedMessages(value);
  else if (isLoggedMessage(value)) yield readHttpMessage(value) ?? { body: value };
  else if (depth < MAX_LOGGER_DEPTH)
    for (const member of Object.values(value)) yield* loggedMessages(unpacked(member), depth + 1);
}

function isLoggedMessage(value: JsonObject): boolean {
  if ("jsonrpc" in value) return true;
  if (typeof value["isError"] === "boolean" && Array.isArray(value["content"])) return true;
  const isError = typeof memberAt(objectAt(value, "error"), "code") === "number";
  return isError || readHttpMessage(value) !== undefined;
}

/** `{ status, headers, body }`, as tools that record HTTP write it. */
function readHttpMessage(value: JsonObject): LoggedMessage | undefined {
  const { status, body } = value;
  if (typeof status !== "number" || !("body" in value)) return undefined;
  const inner = typeof body === "string" ? unpacked(body) : body;
  return {
    body: isObject(inner) ? inner : { text: inner },
    http: { status, headers: objectAt(value, "headers") ?? {} },
  };
}

/** A text that holds JSON, as its value. */
function unpacked(member: unknown): unknown {
  if (typeof member !== "string" || !member.includes('"jsonrpc"')) return member;
  try {
    return JSON.parse(member);
  } catch {
    return undefined;
  }
}

function* recordedMessages(recording: JsonObject): Generator<LoggedMessage> {
  for (const era of arrayAt(recording, "eras")) {
    for (const exchange of arrayAt(era, "exchanges")) {
      const tool = stringAt(exchange, "tool");
      const at = { conversation: stringAt(exchange, "id") ?? "", ...(tool === undefined ? {} : { tool }) };
      const sent = objectAt(objectAt(exchange, "sent"), "message");
      if (sent !== undefined) yield { body: sent, ...at };
      const answer = objectAt(exchange, "answer");
      const body = objectAt(answer, "message") ?? { text: stringAt(answer, "text") ?? "" };
      const http = objectAt(answer, "http");
      const status = memberAt(http, "status");
      const isAnswer = stringAt(answer, "kind") === "message" || stringAt(answer, "kind") === "body";
      if (!isAnswer) continue;
      yield typeof status === "number"
        ? { body, ...at, http: { status, headers: objectAt(http, "headers") ?? {} } }
        : { body, ...at };
    }
  }
}

/** Words without which a line is not about a failure. Most lines of a log are not, and reading one takes time. */
const FAILURE_WORDS =
  /err(?:or|no)?\b|fail|exception|panic|traceback|refused|denied|unauthori[sz]ed|forbidden|time(?:d\s?-?|-)?out|disconnect|unexpected|invalid|not (?:found|valid|recogni[sz]ed|connected)|no such|cannot|could not|unable|\bE[A-Z]{4,}\b|\b[45]\d\d\b|-3[26]\d{3}\b/i;

/** Hints that a guarded server writes for its author. The incident stands beside them. */
const DEVELOPMENT_HINT = "recourse (development):";

/** What is read of a text. */
const MAX_READ_TEXT = 8_192;

/** The failure that lines of plain text are about. */
export function failureInBlock({ texts }: LogBlock): LoggedFailure | undefined {
  const { rest, level } = splitPrefix(texts[0] ?? "");
  if (level === "quiet" || rest.startsWith(DEVELOPMENT_HINT)) return undefined;
  const below = texts.slice(1).map((line) => splitPrefix(line).rest);
  return readTextFailure([rest, ...below].join("\n"));
}

/** Members in which loggers keep the text of a failure, the most telling first. */
const ERROR_MEMBERS = ["err", "error", "exception", "cause", "stack", "message", "msg"] as const;

/** The failure that a line of a logger is about: a line with a level that is bad enough. */
export function failureInValue(value: unknown): LoggedFailure | undefined {
  if (!isObject(value) || readLevel(memberAt(value, "level") ?? memberAt(value, "severity")) !== "failing")
    return undefined;
  for (const name of ERROR_MEMBERS) {
    const member = memberAt(value, name);
    const text = typeof member === "string" ? member : (stringAt(member, "stack") ?? stringAt(member, "message"));
    const failure = text === undefined ? undefined : readTextFailure(text);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Reads the failure in a text. Undefined if nothing in it is known for sure. */
function readTextFailure(text: string): LoggedFailure | undefined {
  const start = text.slice(0, MAX_READ_TEXT);
  if (!FAILURE_WORDS.test(start)) return undefined;
  const reading = readFailure(start);
  if (!reading.found) return undefined;
  const { fault, cause, leads, dialect, recognised } = reading;
  if (leads === "cause" && cause !== undefined) return { channel: "text", text: recognised, cause: cause.id };
  // That something failed is no cause, and logs are full of such sentences.
  if (fault === undefined || GENERAL_REASONS.has(fault.reason)) return undefined;
  return { channel: "text", text: recognised, fault, ...(dialect !== undefined && { dialect }) };
}
