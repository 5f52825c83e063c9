import { setImmediate as immediate } from "node:timers/promises";
import type { Fault } from "@recourse/core";
import { auth, core } from "@recourse/core/reasons";
import {
  booleanAt,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  hasRequestMeta,
  isObject,
  type JsonObject,
  memberAt,
  objectAt,
  parseJson,
  type Revision,
  stringAt,
  VERSION_KEY,
} from "@recourse/core/wire";
import { EVERY_ABILITY } from "../call/abilities.ts";
import { elementsOf, membersOf, type Span, skipSpace, skipValue, TOO_DEEP } from "../call/json-bytes.ts";
import { withSpans } from "../call/json-edit.ts";
import type { Upstream, UpstreamReply, UpstreamRequest } from "../call/upstream.ts";
import { hasControl } from "../config/control-characters.ts";
import { upstreamHolder } from "../limits/shares.ts";
import { errorCode } from "../stores/store-error.ts";

/** The kinds of lists: the member of the result that has the entries, and the member that tells them apart. */
export const LISTS = {
  "tools/list": { member: "tools", key: "name", capability: "tools" },
  "prompts/list": { member: "prompts", key: "name", capability: "prompts" },
  "resources/list": { member: "resources", key: "uri", capability: "resources" },
  "resources/templates/list": { member: "resourceTemplates", key: "uriTemplate", capability: "resources" },
} as const;
export type ListMethod = keyof typeof LISTS;
export const LIST_METHODS = Object.keys(LISTS) as ListMethod[];

/** What one upstream listed: a tool, a prompt, a resource or a template. */
export interface ListEntry {
  /** The name that callers use, or the URI. */
  readonly key: string;
  /** Name or URI as the upstream knows it. */
  readonly target: string;
  /** The entry as callers get it: the upstream's JSON, with the caller's name in it. */
  readonly text: string;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly hasOutputSchema: boolean;
  readonly inputSchema: unknown;
}

/** Entries that are nested deeper are refused: schemas are walked, and nothing that is read may use up the stack. */
const MAX_ENTRY_DEPTH = 128;

/** Names and URIs stand in headers, log lines, labels of metrics and rows of stores, so they are not of any length. */
const MAX_ENTRY_KEY = { name: 512, uri: 8_192, uriTemplate: 8_192 } as const;

/**
 * Reads an entry of a list. Undefined if clients would refuse a whole list because of it, if a member of it is
 * repeated, so that two parsers could read two entries, if it is nested too deep, or if its name or URI cannot be
 * passed on: not a text, too long, or with control characters.
 */
export function readEntry(method: ListMethod, bytes: Buffer, prefix: string): ListEntry | undefined {
  const { key: member } = LISTS[method];
  if (skipValue(bytes, 0, MAX_ENTRY_DEPTH) === TOO_DEEP) return undefined;
  const members = membersOf(bytes, 0);
  const text = bytes.toString("utf8");
  const parsed = members === undefined ? undefined : parseJson(text, Number.POSITIVE_INFINITY);
  const target = stringAt(parsed, member);
  const name = members?.get("name");
  if (target === undefined || name === undefined || stringAt(parsed, "name") === undefined) return undefined;
  if (!isPrintableKey(target, MAX_ENTRY_KEY[member])) return undefined;
  const isTool = method === "tools/list";
  const inputSchema = objectAt(parsed, "inputSchema");
  if (isTool && inputSchema?.["type"] !== "object") return undefined;
  const prefixed = member === "name" && prefix !== "";
  const annotations = isTool ? objectAt(parsed, "annotations") : undefined;
  return {
    key: prefixed ? prefix + target : target,
    target,
    text: prefixed ? withSpans(bytes, [name], JSON.stringify(prefix + target)).toString("utf8") : text,
    readOnly: booleanAt(annotations, "readOnlyHint") === true,
    idempotent: booleanAt(annotations, "idempotentHint") === true,
    hasOutputSchema: isTool && isObject(objectAt(parsed, "outputSchema")),
    inputSchema: isTool ? inputSchema : undefined,
  };
}

/** Whether a text has no control characters, no half characters, and not more than so many characters. */
function isPrintableKey(text: string, maxLength: number): boolean {
  return text.length <= maxLength && text.isWellFormed() && !hasControl(text);
}

/** How much of one list is read at most. What lies beyond is left out, and logged. */
export interface ReadBounds {
  readonly pages: number;
  readonly entries: number;
  readonly bytes: number;
  readonly timeMs: number;
}

export const READ_BOUNDS: ReadBounds = { pages: 100, entries: 10_000, bytes: 33_554_432, timeMs: 20_000 };

export interface ReadList {
  readonly kind: "read";
  readonly entries: readonly ListEntry[];
  /** How long the upstream lets it be used; undefined if it says nothing. */
  readonly ttlMs: number | undefined;
  /** How many entries were left out as `readEntry` says, and whether a bound was reached. */
  readonly refused: number;
  readonly cut: boolean;
}

/** A list that could not be read. */
interface UnreadList {
  readonly kind: "failed";
  /** For the operator. */
  readonly why: string;
  /** For a caller that wanted something of the list. */
  readonly fault: Fault;
}

export type ListOutcome = (ReadList | UnreadList) & { readonly workMs: number };

interface ReadListOptions {
  readonly upstream: Upstream;
  readonly method: ListMethod;
  readonly era: Revision;
  /** What the upstream is shown as its client. */
  readonly client: { readonly name: string; readonly version: string };
  readonly bounds: ReadBounds;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onNotification: (message: Buffer) => void;
  /** Whose list it is. @default that of the gateway itself */
  readonly sender?: ListSender | undefined;
}

export type ListSender = Pick<
  UpstreamRequest,
  "session" | "caller" | "abilities" | "subjectToken" | "onCredential" | "logLevel"
>;

const EMPTY_LIST: ReadList = { kind: "read", entries: [], ttlMs: undefined, refused: 0, cut: false };
const LIST_NOT_OFFERED = -32601;
/** After this time others have their turn before the rest of a page is read. */
const MAX_BUSY_MS = 10;

/** Reads all pages of a list. A list that the upstream does not offer is empty. */
export async function readList(options: ReadListOptions): Promise<ListOutcome> {
  const work = { ms: 0 };
  return { ...(await readPages(options, work)), workMs: work.ms };
}

async function readPages(options: ReadListOptions, work: { ms: number }): Promise<ReadList | UnreadList> {
  const { method, bounds, now } = options;
  const until = now() + bounds.timeMs;
  const entries: ListEntry[] = [];
  const keys = new Set<string>();
  const cursors = new Set<string>();
  let ttlMs: number | undefined;
  let refused = 0;
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const reply = await askForPage(options, cursor, Math.max(1, Math.ceil(until - now())));
    if (reply.kind === "failed") return { kind: "failed", why: describeFailure(reply), fault: reply.fault };
    const read = await readPage(reply, options, { entries, keys, refused, work });
    if (read === "not offered") return EMPTY_LIST;
    if (typeof read === "string") return { kind: "failed", why: read, fault: unreadableFault(reply.status) };
    bytes += reply.body.length;
    refused = read.refused;
    if (read.ttlMs !== undefined) ttlMs = Math.min(ttlMs ?? read.ttlMs, read.ttlMs);
    cursor = read.nextCursor;
    if (read.cut) return { kind: "read", entries, ttlMs, refused, cut: true };
    if (cursor === undefined) return { kind: "read", entries, ttlMs, refused, cut: false };
    const isFull = page >= bounds.pages || entries.length + refused >= bounds.entries || bytes >= bounds.bytes;
    if (isFull || cursors.has(cursor)) return { kind: "read", entries, ttlMs, refused, cut: true };
    cursors.add(cursor);
    if (now() >= until) {
      const fault = core.timeout.fault({ timeoutMs: bounds.timeMs }, { effect: "none" });
      return { kind: "failed", why: `${method} took longer than ${bounds.timeMs} ms`, fault };
    }
  }
}

/** A failure for the operator: its sentence, its reason to look it up by, and the code of what caused it. */
export function describeFailure({ fault, cause }: { readonly fault: Fault; readonly cause?: unknown }): string {
  const code = cause === undefined ? undefined : errorCode(cause);
  return `${fault.message} (${fault.reason}${code === undefined ? "" : `, ${code}`})`;
}

/** What an answer that is no list means for a caller. Its text is not passed on: nobody has looked at it. */
function unreadableFault(status: number): Fault {
  if (status === 401 || status === 403) return auth.access_denied.fault();
  return core.unavailable.fault({}, { effect: "none" });
}

/** The `_meta` that requests of the gateway itself carry. The older era has none. */
export function ownMeta(
  era: Revision,
  client: ReadListOptions["client"],
  capabilities: JsonObject = {},
): Readonly<Record<string, unknown>> {
  if (!hasRequestMeta(era)) return {};
  return {
    _meta: {
      [VERSION_KEY]: era,
      [CLIENT_INFO_KEY]: client,
      [CLIENT_CAPABILITIES_KEY]: capabilities,
    },
  };
}

/** The gateway reads for all callers, whatever they can be asked for. */
function ownSender({ options }: Upstream): ListSender {
  return { session: "catalog", abilities: EVERY_ABILITY, caller: upstreamHolder(options.name) };
}

function askForPage(options: ReadListOptions, cursor: string | undefined, timeoutMs: number): Promise<UpstreamReply> {
  const parsed = { ...(cursor !== undefined && { cursor }), ...ownMeta(options.era, options.client) };
  return options.upstream.send({
    method: options.method,
    target: undefined,
    id: "0",
    params: Buffer.from(JSON.stringify(parsed)),
    parsed,
    ...(options.sender ?? ownSender(options.upstream)),
    timeoutMs,
    signal: options.signal,
    onNotification: options.onNotification,
  });
}

/** What was read before a page. */
interface PagesBefore {
  readonly entries: ListEntry[];
  readonly keys: Set<string>;
  readonly refused: number;
  /** Counts how long the processor was busy. */
  readonly work: { ms: number };
}

interface UpstreamPage {
  /** Entries of this page and of those before it that were left out. */
  readonly refused: number;
  /** The page has more entries than are read. */
  readonly cut: boolean;
  readonly ttlMs: number | undefined;
  readonly nextCursor: string | undefined;
}

/** Adds the entries of a page to those that were read. Each is parsed for itself, so that no more than the bound are ever built. */
async function readPage(
  reply: Extract<UpstreamReply, { kind: "answer" }>,
  { method, upstream, bounds, now }: ReadListOptions,
  before: PagesBefore,
): Promise<UpstreamPage | "not offered" | (string & {})> {
  const { body } = reply;
  const { entries, keys, work } = before;
  let beganMs = now();
  const message = membersOf(body, skipSpace(body, 0));
  if (memberAt(jsonAt(body, message?.get("error")), "code") === LIST_NOT_OFFERED) return "not offered";
  const at = message?.get("result")?.start;
  const result = at === undefined ? undefined : membersOf(body, at);
  const list = result?.get(LISTS[method].member);
  let { refused } = before;
  let cut = false;
  const elements = elementsOf(body, list?.start ?? body.length);
  let next = elements.next();
  for (; next.done !== true; next = elements.next()) {
    cut = entries.length + refused >= bounds.entries;
    if (cut) break;
    const { start, end } = next.value;
    const entry = readEntry(method, body.subarray(start, end), upstream.options.prefix);
    // Of two entries with one name the first counts, as it does between upstreams.
    if (entry === undefined || keys.has(entry.key)) refused += 1;
    else {
      entries.push(entry);
      keys.add(entry.key);
    }
    if (now() - beganMs < MAX_BUSY_MS) continue;
    work.ms += now() - beganMs;
    await immediate();
    beganMs = now();
  }
  work.ms += now() - beganMs;
  if (next.value === false) return `the answer to ${method} is not a list (HTTP status ${reply.status})`;
  const ttlMs = jsonAt(body, result?.get("ttlMs"));
  const nextCursor = jsonAt(body, result?.get("nextCursor"));
  return {
    refused,
    cut,
    ttlMs: typeof ttlMs === "number" && ttlMs >= 0 ? ttlMs : undefined,
    nextCursor: typeof nextCursor === "string" ? nextCursor : undefined,
  };
}

/** The value in a span; undefined if it is missing, or too long to be one that is looked for. */
function jsonAt(body: Buffer, span: Span | undefined): unknown {
  return span === undefined ? undefined : parseJson(body.toString("utf8", span.start, span.end));
}
