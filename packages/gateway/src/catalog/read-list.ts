import type { Fault } from "@recourse/faults";
import { arrayAt, memberAt, objectAt, parseJson, stringAt, VERSION_KEY } from "@recourse/faults/internal-do-not-use";
import { elementsOf, valuesOf } from "../json/members.ts";
import { skipSpace } from "../json/skip.ts";
import type { Era, Upstream, UpstreamReply } from "../upstreams/upstream.ts";
import { type Entry, LISTS, type ListMethod, readEntry } from "./entry.ts";

/** How much of one list is read at most. What lies beyond is left out, and logged. */
export interface ReadBounds {
  readonly pages: number;
  readonly entries: number;
  readonly bytes: number;
  /** Time for all pages together. */
  readonly timeMs: number;
}

export const READ_BOUNDS: ReadBounds = { pages: 100, entries: 10_000, bytes: 33_554_432, timeMs: 20_000 };

/** A list as it was read. */
export interface ReadList {
  readonly kind: "read";
  readonly entries: readonly Entry[];
  /** How long the upstream lets it be used; undefined where it says nothing. */
  readonly ttlMs: number | undefined;
  /** Entries that clients would refuse, and whether a bound was reached. */
  readonly refused: number;
  readonly cut: boolean;
}

/** What came of reading a list. */
export type ListOutcome = ReadList | { readonly kind: "failed"; readonly fault?: Fault; readonly why: string };

interface ReadOptions {
  readonly upstream: Upstream;
  readonly method: ListMethod;
  readonly era: Era;
  /** What the upstream is shown as its client. */
  readonly client: { readonly name: string; readonly version: string };
  readonly bounds: ReadBounds;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onNotification: (message: Buffer) => void;
}

const EMPTY: ReadList = { kind: "read", entries: [], ttlMs: undefined, refused: 0, cut: false };
const METHOD_NOT_FOUND = -32601;

/** Reads all pages of a list. A list that the upstream does not offer is empty. */
export async function readList(options: ReadOptions): Promise<ListOutcome> {
  const { method, bounds, now } = options;
  const until = now() + bounds.timeMs;
  const entries: Entry[] = [];
  const cursors = new Set<string>();
  let ttlMs: number | undefined;
  let refused = 0;
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const reply = await ask(options, cursor, Math.max(1, Math.ceil(until - now())));
    if (reply.kind === "failed") return { kind: "failed", fault: reply.fault, why: reply.fault.reason };
    const read = readPage(reply, options);
    if (read === "not offered") return EMPTY;
    if (typeof read === "string") return { kind: "failed", why: read };
    bytes += reply.body.length;
    entries.push(...read.entries);
    refused += read.refused;
    if (read.ttlMs !== undefined) ttlMs = Math.min(ttlMs ?? read.ttlMs, read.ttlMs);
    cursor = read.nextCursor;
    if (cursor === undefined) return { kind: "read", entries, ttlMs, refused, cut: false };
    const isFull = page >= bounds.pages || entries.length >= bounds.entries || bytes >= bounds.bytes;
    if (isFull || cursors.has(cursor)) {
      return { kind: "read", entries: entries.slice(0, bounds.entries), ttlMs, refused, cut: true };
    }
    cursors.add(cursor);
    if (now() >= until) return { kind: "failed", why: `${method} took longer than ${bounds.timeMs} ms` };
  }
}

/** The `_meta` that requests of the gateway itself carry. The older era has none. */
export function ownMeta(era: Era, client: ReadOptions["client"]): Readonly<Record<string, unknown>> {
  if (era !== "2026-07-28") return {};
  return {
    _meta: {
      [VERSION_KEY]: era,
      "io.modelcontextprotocol/clientInfo": client,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
}

function ask(options: ReadOptions, cursor: string | undefined, timeoutMs: number): Promise<UpstreamReply> {
  const parsed = { ...(cursor !== undefined && { cursor }), ...ownMeta(options.era, options.client) };
  return options.upstream.send({
    method: options.method,
    target: undefined,
    id: "0",
    params: Buffer.from(JSON.stringify(parsed)),
    parsed,
    session: "catalog",
    caller: "catalog",
    timeoutMs,
    signal: options.signal,
    onNotification: options.onNotification,
  });
}

interface Page {
  readonly entries: Entry[];
  readonly refused: number;
  readonly ttlMs: number | undefined;
  readonly nextCursor: string | undefined;
}

function readPage(
  reply: Extract<UpstreamReply, { kind: "answer" }>,
  { method, upstream }: ReadOptions,
): Page | "not offered" | (string & {}) {
  const { body } = reply;
  const message = parseJson(body.toString("utf8"), Number.POSITIVE_INFINITY);
  if (memberAt(objectAt(message, "error"), "code") === METHOD_NOT_FOUND) return "not offered";
  const result = objectAt(message, "result");
  const { member } = LISTS[method];
  if (result === undefined || !Array.isArray(result[member])) {
    return `the answer to ${method} is not a list (HTTP status ${reply.status})`;
  }
  // Of repeated keys the last one counts, as it does for `JSON.parse`.
  const inResult = valuesOf(body, skipSpace(body, 0), "result").at(-1)?.start ?? 0;
  const at = valuesOf(body, inResult, member).at(-1)?.start ?? 0;
  const parsed = arrayAt(result, member);
  const entries: Entry[] = [];
  for (const [index, { start, end }] of elementsOf(body, at).entries()) {
    const entry = readEntry(method, body.subarray(start, end), parsed[index], upstream.options.prefix);
    if (entry !== undefined) entries.push(entry);
  }
  const ttlMs = result["ttlMs"];
  return {
    entries,
    refused: parsed.length - entries.length,
    ttlMs: typeof ttlMs === "number" && ttlMs >= 0 ? ttlMs : undefined,
    nextCursor: stringAt(result, "nextCursor"),
  };
}
