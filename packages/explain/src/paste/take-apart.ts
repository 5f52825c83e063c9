// Takes a pasted text apart: the words of the failure, the JSON in it, and what stands around them. Everything is bounded,
// since people paste whole logs, and logs hold what strangers sent.

import { failureSign } from "@recourse/core/proxy";
import { arrayAt, isObject, type JsonObject, memberAt, objectAt, parseJson, stringAt } from "@recourse/core/wire";

/** What was around the failure in a text. */
export type Surrounding =
  | "access_log"
  | "colours"
  | "cut"
  | "event_stream"
  | "http_reply"
  | "json"
  | "log_line"
  | "quotes"
  | "sdk_prefix"
  | "stack";

/** A raw HTTP reply in a text. */
interface PastedReply {
  readonly status: number;
  readonly headers: JsonObject;
  readonly body: string;
}

/** A pasted text, taken apart. */
export interface PastedText {
  /** The text without colours and shell quotes. Messages that are not failures are left out. */
  readonly text: string;
  /** The texts inside of JSON, one per line, without the escapes of JSON. */
  readonly inner: string;
  /** Objects that may say what failed, the outer ones first. */
  readonly objects: readonly JsonObject[];
  /** A message that is a request, a notification or a success, if the text has one. */
  readonly harmless?: JsonObject;
  /** Whether all of the text is JSON. */
  readonly isJson: boolean;
  readonly reply?: PastedReply;
  readonly around: readonly Surrounding[];
}

/** Longer texts are read at both ends: a log begins with the cause and ends with the consequence. */
const MAX_END = 32_768;
const MAX_INNER = 32_768;
/** Places at which JSON is looked for. */
const MAX_JSON_STARTS = 60;
const MAX_OBJECTS = 100;
const MAX_SCANNED = 2_000_000;
/** JSON inside a string inside JSON, and members inside members. */
const MAX_LAYERS = 5;
const MAX_PASTED_DEPTH = 12;

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape begins a sequence of a terminal.
const COLOURS = /\u001b(?:\[[0-9;?]{0,24}[A-Za-z]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)?)/g;

export function takeApart(pasted: string): PastedText {
  const around = new Set<Surrounding>();
  const whole = pasted.length <= 2 * MAX_END ? pasted : `${pasted.slice(0, MAX_END)}\n${pasted.slice(-MAX_END)}`;
  if (whole !== pasted) around.add("cut");
  const plain = whole.replace(COLOURS, "");
  if (plain !== whole) around.add("colours");
  const bare = withoutShellQuotes(
    plain
      .replace(/^\ufeff/, "")
      .replaceAll("\r\n", "\n")
      .trim(),
  );
  if (bare.length < plain.trim().length && /^["'`]/.test(plain.trim())) around.add("quotes");
  const isStream = /^(?:event|data|id|retry):/m.test(bare) && /^data:/m.test(bare);
  if (isStream) around.add("event_stream");
  const text = isStream ? bare.replace(/^data: ?/gm, "").replace(/^(?:event|id|retry):[^\n]*$/gm, "") : bare;
  const reply = readPastedReply(text);
  if (reply !== undefined) around.add("http_reply");
  for (const [name, pattern] of SURROUNDING_PATTERNS) if (pattern.test(text)) around.add(name);
  const found = findObjects(text, around);
  return { ...found, around: [...around].sort(), ...(reply !== undefined && { reply }) };
}

const SURROUNDING_PATTERNS: readonly (readonly [Surrounding, RegExp])[] = [
  ["access_log", /"(?:GET|POST|DELETE|PUT|OPTIONS|HEAD) [^\s"]{1,500} HTTP\/\d/],
  [
    "log_line",
    /^[ \t]{0,40}\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|^[ \t]{0,40}\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL)\b/m,
  ],
  [
    "sdk_prefix",
    /\bMCP error -?\d{1,6}:|\bMcpError\b|\bError POSTing to endpoint\b|\bStreamable HTTP error:|\bSSE error:/,
  ],
  [
    "stack",
    /^\s{1,20}at [^\n]{1,300}[:)]|^Traceback \(most recent call last\)|^\s{0,20}File "[^"\n]{1,300}", line \d|^goroutine \d{1,9} \[/m,
  ],
];

/** A text without the quotes that a shell or a JSON log puts around all of it. */
function withoutShellQuotes(text: string): string {
  const quote = text[0];
  if (quote === undefined || !"\"'`".includes(quote) || text.length < 2 || !text.endsWith(quote)) return text;
  const inside = quote === '"' ? parseJson(text) : undefined;
  if (typeof inside === "string") return inside.trim();
  return text.indexOf(quote, 1) === text.length - 1 ? text.slice(1, -1).trim() : text;
}

const REPLY_START = /^(?:< )?HTTP\/\d(?:\.\d)? (\d{3})\b[^\n]{0,200}\n/m;
const REPLY_HEADER = /^(?:< )?([A-Za-z][\w-]{0,80}):/;
const MAX_PASTED_HEADER = 2_000;

/** The HTTP reply that a text begins with, also after the lines of `curl -v`. */
function readPastedReply(text: string): PastedReply | undefined {
  const start = REPLY_START.exec(`${text}\n`);
  if (start === null) return undefined;
  const lines = text.slice(start.index + start[0].length).split("\n");
  const end = lines.findIndex((line) => !REPLY_HEADER.test(line));
  const head = end === -1 ? lines : lines.slice(0, end);
  const headers = head.flatMap((line) => {
    const [start = "", name] = REPLY_HEADER.exec(line) ?? [];
    return name === undefined
      ? []
      : [[name.toLowerCase(), line.slice(start.length, MAX_PASTED_HEADER).trim()] as const];
  });
  const body = end === -1 ? "" : lines.slice(end).join("\n").trim();
  return { status: Number(start[1]), headers: Object.fromEntries(headers), body };
}

interface FoundObjects extends Pick<PastedText, "text" | "inner" | "objects" | "harmless" | "isJson"> {}

/** Finds the JSON in a text and what is inside of it. */
function findObjects(text: string, around: Set<Surrounding>): FoundObjects {
  const objects: JsonObject[] = [];
  const strings: string[] = [];
  const budget: ScanBudget = { left: MAX_SCANNED };
  let harmless: JsonObject | undefined;
  let rest = "";
  let done = 0;
  for (const { value: parsed, start, end, isCut } of jsonParts(text, budget)) {
    const value = isObject(parsed) ? readPastedMessage(parsed) : parsed;
    if (isObject(value) || Array.isArray(value)) around.add("json");
    if (isCut) around.add("cut");
    const message = isObject(value) && isHarmlessMessage(value) ? value : undefined;
    harmless ??= message;
    rest += text.slice(done, message === undefined ? end : start);
    done = end;
    const told = message && cancelReason(message);
    if (told !== undefined) strings.push(told.slice(0, MAX_INNER));
    if (message === undefined) collect(value, { objects, strings, budget }, { depth: 0, layer: 0 });
  }
  const isJson = /^[{[]/.test(text) && done === text.length;
  return {
    text: rest + text.slice(done),
    inner: strings.join("\n").slice(0, MAX_INNER),
    objects,
    isJson,
    ...(harmless !== undefined && { harmless }),
  };
}

/** Tells a request, a notification and a success from everything else. */
function isHarmlessMessage(value: JsonObject): boolean {
  if (typeof value["method"] === "string" && "jsonrpc" in value) return true;
  const result = objectAt(value, "result");
  if (result !== undefined) return result["isError"] !== true && memberAt(result, "error") === undefined;
  return Array.isArray(value["content"]) && value["isError"] !== true && memberAt(value, "error") === undefined;
}

/** Why a client gave a request up, such as `Error: MCP error -32001: Request timed out`. Undefined if it does not say. */
function cancelReason(message: JsonObject): string | undefined {
  return message["method"] === "notifications/cancelled" ? stringAt(objectAt(message, "params"), "reason") : undefined;
}

/** Why a harmless message is not a failure. */
export function describeHarmless(message: JsonObject): "request" | "notification" | "unmarked_failure" | "success" {
  if (typeof message["method"] === "string") return "id" in message ? "request" : "notification";
  const isFailed = failureSign(objectAt(message, "result") ?? message) !== undefined;
  return isFailed || missingArgument(message) !== undefined ? "unmarked_failure" : "success";
}

/** All of a text, since a longer one may only be about such messages. */
const MISSING_ARGUMENT =
  /^(?:error: )?missing (?:a )?required (?:parameter|argument|property|field):? [`'"]?([\w.-]{1,60})[`'"]?\.?$/i;

/** The argument that a result without `isError` says is missing, and the sentence. Undefined if it does not say so. */
export function missingArgument(
  message: JsonObject,
): { readonly sentence: string; readonly argument: string } | undefined {
  const content = arrayAt(objectAt(message, "result") ?? message, "content");
  const text = content.length === 1 ? stringAt(content[0], "text") : undefined;
  const [sentence, argument] = MISSING_ARGUMENT.exec(text?.trim() ?? "") ?? [];
  return sentence === undefined || argument === undefined ? undefined : { sentence, argument };
}

/** A result with the names of the protocol. Python programs write `is_error` and `structured_content`. */
function protocolNames(value: JsonObject): JsonObject {
  const { is_error: isError, structured_content: structuredContent } = value;
  return {
    ...value,
    ...(typeof isError === "boolean" && !("isError" in value) && { isError }),
    ...(isObject(structuredContent) && !("structuredContent" in value) && { structuredContent }),
  };
}

/** A message whose members have the names of the protocol. */
function readPastedMessage(value: JsonObject): JsonObject {
  const result = objectAt(value, "result");
  return result === undefined ? protocolNames(value) : { ...value, result: protocolNames(result) };
}

interface JsonPart {
  readonly value: unknown;
  readonly start: number;
  readonly end: number;
  readonly isCut: boolean;
}

/** How many characters may still be scanned. Brackets that are never closed would else be scanned again and again. */
interface ScanBudget {
  left: number;
}

/** The JSON objects and lists in a text, one after the other. The last one may be cut. */
function* jsonParts(text: string, budget: ScanBudget): Generator<JsonPart> {
  let at = 0;
  for (let tries = 0; tries < MAX_JSON_STARTS && budget.left > 0; tries++) {
    const start = nextStart(text, at);
    if (start === -1) return;
    const { end, open } = scanJson(text, start);
    budget.left -= end - start;
    const value = parseLenient(text.slice(start, end));
    if (open === "" && value !== undefined) {
      yield { value, start, end, isCut: false };
      at = end;
      continue;
    }
    const repaired = open === "" ? undefined : closeJson(text.slice(start, end), open);
    if (repaired !== undefined) {
      yield { value: repaired, start, end, isCut: true };
      return;
    }
    at = start + 1;
  }
}

/** Brackets of prose and log levels are not JSON. */
const JSON_START = /\{\s{0,200}(?:["}']|\\")|\[\s{0,200}[[{]/g;

function nextStart(text: string, from: number): number {
  JSON_START.lastIndex = from;
  return JSON_START.exec(text)?.index ?? -1;
}

/** JSON, also with the quotes escaped once more, as shells and loggers do. */
function parseLenient(text: string): unknown {
  return parseJson(text) ?? (text.includes('\\"') ? parseJson(text.replaceAll('\\"', '"')) : undefined);
}

/** Where the brackets that open at `start` are closed again, and which ones are still open at the end. */
function scanJson(text: string, start: number): { readonly end: number; readonly open: string } {
  const closers: string[] = [];
  let isText = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === '"') isText = !isText;
    else if (isText) continue;
    else if (char === "{") closers.push("}");
    else if (char === "[") closers.push("]");
    else if (char === "}" || char === "]") {
      closers.pop();
      if (closers.length === 0) return { end: at + 1, open: "" };
    }
  }
  return { end: text.length, open: (isText ? '"' : "") + closers.reverse().join("") };
}

/** Reads JSON whose end is missing, as far as it goes. */
function closeJson(text: string, open: string): unknown {
  if (!/^[{[]\s{0,20}[{["]/.test(text) || open.length > MAX_PASTED_DEPTH) return undefined;
  const whole = text.replace(/(?:\\u[0-9a-f]{0,3}|\\|…|\.\.\.)$/i, "");
  for (const candidate of [whole, whole.replace(/[,:]?\s{0,20}$/, ""), whole.replace(/,[^,]{0,400}$/, "")]) {
    const { open: rest } = scanJson(candidate, 0);
    const value = parseJson(candidate + rest) ?? parseJson(`${candidate + rest.slice(0, 1)}:null${rest.slice(1)}`);
    if (value !== undefined) return value;
  }
  return undefined;
}

interface Collected {
  readonly objects: JsonObject[];
  readonly strings: string[];
  readonly budget: ScanBudget;
}

/** Collects objects and texts, also from JSON that is a string inside JSON. */
function collect(value: unknown, found: Collected, at: { readonly depth: number; readonly layer: number }): void {
  if (at.depth > MAX_PASTED_DEPTH || found.objects.length >= MAX_OBJECTS) return;
  if (typeof value === "string") {
    if (found.strings.length < MAX_OBJECTS) found.strings.push(value.slice(0, MAX_INNER));
    if (at.layer >= MAX_LAYERS || value.length > MAX_INNER || !/[{[]/.test(value)) return;
    for (const part of jsonParts(value, found.budget))
      collect(part.value, found, { depth: at.depth + 1, layer: at.layer + 1 });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (isObject(value)) found.objects.push(readPastedMessage(value));
  for (const member of Object.values(value).slice(0, MAX_OBJECTS))
    collect(member, found, { ...at, depth: at.depth + 1 });
}
