import {
  CALL_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  CLOSE_OBJECT,
  COMMA,
  hasRequestMeta,
  isObject,
  type JsonObject,
  LOG_LEVEL_KEY,
  OPEN_OBJECT,
  type Revision,
  VERSION_KEY,
} from "@recourse/core/wire";
import { type Abilities, toCapabilities } from "../call/abilities.ts";
import type { Round } from "../call/call.ts";
import type { Span } from "../call/json-bytes.ts";
import type { MemberSpan } from "../call/json-scanner.ts";
import { isKnownParam, type RequestMessage } from "../call/message.ts";

/** What a request says about itself on its next hop. */
export interface Hop {
  /** Name or URI, as the upstream knows it; undefined if it stays as it was sent. */
  readonly target: string | undefined;
  /** The era of the upstream. */
  readonly era: Revision;
  /** How long to wait for the answer. */
  readonly deadlineMs: number;
  readonly traceparent: string | undefined;
  /** The gateway as a client, as JSON, for callers that state nothing in each request. */
  readonly clientInfo: string;
  /** The log level of the caller's session, for callers that state nothing in each request. @default none */
  readonly logLevel?: string | undefined;
  /** The arguments in place of those that were sent. @default as they were sent */
  readonly arguments?: Buffer | undefined;
  /** The idempotency key, as the upstream may know it. @default none */
  readonly key?: string | undefined;
  /** The answers to an earlier request of the upstream for input. @default none */
  readonly round?: Round | undefined;
  /** The upstream may be asked to make a task of the call. @default false */
  readonly passesTask?: boolean | undefined;
  /** What a caller of the older era can be asked, for upstreams of the newer. @default nothing */
  readonly abilities?: Abilities | undefined;
}

const TRACE_KEY = "traceparent";
const NOTHING_SENT: Span = { start: 0, end: 0 };
/** What the brackets and the names that are written here take at most. */
const FRAME_BYTES = 64;

/**
 * The params for the next hop: the members that the method has, in the bytes of the caller, with the name that the upstream
 * knows and the `_meta` of this hop. Their values are copied, never written again. Other members stay behind.
 */
export function hopParams(message: RequestMessage, hop: Hop): Buffer {
  const { method, spans } = message;
  const own = {
    meta: ownMembers(message, hop),
    target: hop.target === undefined ? undefined : JSON.stringify(hop.target),
    further: furtherMembers(hop),
  };
  const into = new ParamsWriter(message.bytes, roomFor(message, hop, own));
  into.byte(OPEN_OBJECT);
  if (spans.meta === undefined) writeMeta(into, message, hop, own.meta);
  for (const member of spans.paramMembers ?? []) {
    if (member.name === "_meta") writeMeta(into, message, hop, own.meta);
    else if (member.name === "task" && hop.passesTask !== true) continue;
    else if (isKnownParam(method, member.name)) writeMember(into, member, spans.target, { hop, own });
  }
  if (spans.arguments === undefined && hop.arguments !== undefined) {
    into.text('"arguments":');
    into.value(hop.arguments);
  }
  if (hop.round?.responses !== undefined) {
    into.text('"inputResponses":');
    into.value(hop.round.responses);
  }
  into.text(own.further);
  return into.close();
}

/** What this hop adds, as JSON. */
interface OwnTexts {
  readonly meta: string;
  readonly target: string | undefined;
  readonly further: string;
}

/** Each byte of the message is copied at most once, and nothing of the arguments if others take their place. */
function roomFor({ bytes, spans }: RequestMessage, hop: Hop, { meta, target = "", further }: OwnTexts): number {
  const texts = Buffer.byteLength(meta) + Buffer.byteLength(target) + Buffer.byteLength(further);
  const { start, end } = (hop.arguments && spans.arguments) ?? NOTHING_SENT;
  const given = (hop.arguments?.length ?? 0) + (hop.round?.responses?.length ?? 0);
  return FRAME_BYTES + bytes.length - (end - start) + texts + given;
}

function writeMember(
  into: ParamsWriter,
  { name, start, value }: MemberSpan,
  target: Span | undefined,
  { hop, own }: { readonly hop: Hop; readonly own: OwnTexts },
): void {
  if (name === "arguments" && hop.arguments !== undefined) {
    into.part(start, value.start);
    into.value(hop.arguments);
  } else if (target !== undefined && own.target !== undefined && start < target.start && target.end <= value.end) {
    into.part(start, target.start);
    into.text(own.target);
    into.part(target.end, value.end);
    into.byte(COMMA);
  } else {
    into.part(start, value.end);
    into.byte(COMMA);
  }
}

/**
 * Writes members, each with a comma behind it, into one buffer with room for all of them: to join many small buffers costs
 * more.
 */
class ParamsWriter {
  readonly #sent: Buffer;
  readonly #into: Buffer;
  #at = 0;

  constructor(sent: Buffer, room: number) {
    this.#sent = sent;
    this.#into = Buffer.allocUnsafe(room);
  }

  byte(byte: number): void {
    this.#into[this.#at] = byte;
    this.#at += 1;
  }

  text(text: string): void {
    if (text !== "") this.#at += this.#into.write(text, this.#at);
  }

  /** A part of what was sent. */
  part(start: number, end: number): void {
    if (start < end) this.#at += this.#sent.copy(this.#into, this.#at, start, end);
  }

  /** A value, and the comma behind its member. */
  value(json: Buffer): void {
    this.#at += json.copy(this.#into, this.#at);
    this.byte(COMMA);
  }

  /** What was written: there is always a member, and the last bracket stands in place of the comma behind it. */
  close(): Buffer {
    this.#into[this.#at - 1] = CLOSE_OBJECT;
    return this.#into.subarray(0, this.#at);
  }
}

const isMetaText = (value: unknown): boolean => typeof value === "string";

/** What a caller may say to an upstream in `_meta`, and of which form. The rest could change what a call does, unread. */
const PASSED_META: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["progressToken", (value) => isMetaText(value) || typeof value === "number"],
  [TRACE_KEY, isMetaText],
  ["tracestate", isMetaText],
  ["baggage", isMetaText],
  [VERSION_KEY, isMetaText],
  [CLIENT_CAPABILITIES_KEY, isObject],
  [CLIENT_INFO_KEY, isObject],
  [LOG_LEVEL_KEY, isMetaText],
]);

/**
 * An upstream of the older era was given these when it was connected to, or does not know them, and may take the request for
 * one of the newer.
 */
const OF_NEWER_ERA: ReadonlySet<string> = new Set([
  VERSION_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  LOG_LEVEL_KEY,
]);

/** Writes the `_meta` of the next hop: the members that may pass, as they were sent, but those that belong to one hop. */
function writeMeta(into: ParamsWriter, { spans, meta }: RequestMessage, hop: Hop, own: string): void {
  into.text('"_meta":{');
  const states = statesEra(meta, hop);
  for (const { name, start, value } of spans.metaMembers ?? []) {
    if (PASSED_META.get(name)?.(meta?.[name]) !== true) continue;
    // Written again below.
    if (name === TRACE_KEY && hop.traceparent !== undefined) continue;
    if (OF_NEWER_ERA.has(name) && !states) continue;
    into.part(start, value.end);
    into.byte(COMMA);
  }
  into.text(own);
}

/** Who states no version speaks the older era, and is stated for. */
function statesEra(meta: JsonObject | undefined, { era }: Hop): boolean {
  return hasRequestMeta(era) && isMetaText(meta?.[VERSION_KEY]);
}

/** What `_meta` says about this hop, to the end of its object, with a comma behind it. */
function ownMembers({ meta }: RequestMessage, hop: Hop): string {
  let own = `"${CALL_KEY}":${hopCall(meta?.[CALL_KEY], hop)}`;
  if (hop.traceparent !== undefined) own += `,"${TRACE_KEY}":${JSON.stringify(hop.traceparent)}`;
  if (hasRequestMeta(hop.era) && !statesEra(meta, hop)) {
    if (hop.logLevel !== undefined) own += `,"${LOG_LEVEL_KEY}":${JSON.stringify(hop.logLevel)}`;
    const capabilities = hop.abilities === undefined ? "{}" : statedCapabilities(hop.abilities);
    own += `,"${VERSION_KEY}":"${hop.era}","${CLIENT_CAPABILITIES_KEY}":${capabilities},"${CLIENT_INFO_KEY}":${hop.clientInfo}`;
  }
  return `${own}},`;
}

/** Members beside those that the caller sent, each with a comma behind it. */
function furtherMembers({ round }: Hop): string {
  return round?.state === undefined ? "" : `"requestState":${JSON.stringify(round.state)},`;
}

/** Roots that change are a matter of sessions, which the newer era has not. */
function statedCapabilities(abilities: Abilities): string {
  return JSON.stringify({ ...toCapabilities(abilities), ...(abilities.roots && { roots: {} }) });
}

/** The facts about the attempt, with the time that is left on this hop. */
function hopCall(sent: unknown, { deadlineMs, key }: Hop): string {
  const { id, attempt } = isObject(sent) ? sent : {};
  if (id === undefined && attempt === undefined && key === undefined) return `{"deadlineMs":${deadlineMs}}`;
  return JSON.stringify({
    ...(typeof id === "string" && { id }),
    ...(Number.isSafeInteger(attempt) && { attempt }),
    deadlineMs,
    ...(key !== undefined && { key }),
  });
}
