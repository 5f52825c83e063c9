import {
  CALL_KEY,
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  hasRequestMeta,
  isObject,
  LOG_LEVEL_KEY,
  type MemberSpan,
  type Revision,
  VERSION_KEY,
} from "@recourse/wire";
import { type Abilities, toCapabilities } from "../call/abilities.ts";
import type { Round } from "../call/call.ts";
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
  /** The cursor of the upstream, for a list of tasks. @default none */
  readonly cursor?: string | undefined;
  /** What a caller of the older era can be asked, for upstreams of the newer. @default nothing */
  readonly abilities?: Abilities | undefined;
}

const TRACE_KEY = "traceparent";
const COMMA_BYTES = Buffer.from(",");
const OPEN = Buffer.from("{");
const CLOSE = Buffer.from("}");
const META_MEMBER = Buffer.from('"_meta":');
const ARGUMENTS_MEMBER = Buffer.from('"arguments":');
const RESPONSES = Buffer.from('"inputResponses":');

/**
 * The params for the next hop: the members that the method has, in the bytes of the caller, with the name that the upstream
 * knows and the `_meta` of this hop. Their values are copied, never written again. Other members stay behind.
 */
export function hopParams(message: RequestMessage, hop: Hop): Buffer {
  const { method, spans } = message;
  const pieces: Buffer[] = [OPEN];
  const meta = hopMeta(message, hop);
  if (spans.meta === undefined) pieces.push(META_MEMBER, ...meta, COMMA_BYTES);
  for (const member of spans.paramMembers ?? []) {
    if (member.name === "_meta") pieces.push(META_MEMBER, ...meta, COMMA_BYTES);
    else if (member.name === "task" && hop.passesTask !== true) continue;
    else if (isKnownParam(method, member.name)) pushMember(pieces, member, message, hop);
  }
  if (spans.arguments === undefined && hop.arguments !== undefined)
    pieces.push(ARGUMENTS_MEMBER, hop.arguments, COMMA_BYTES);
  const { state, responses } = hop.round ?? {};
  if (responses !== undefined) pieces.push(RESPONSES, responses, COMMA_BYTES);
  if (state !== undefined) pieces.push(Buffer.from(`"requestState":${JSON.stringify(state)}`), COMMA_BYTES);
  if (hop.cursor !== undefined) pieces.push(Buffer.from(`"cursor":${JSON.stringify(hop.cursor)}`), COMMA_BYTES);
  // There is always a member, and behind each a comma.
  pieces[pieces.length - 1] = CLOSE;
  return Buffer.concat(pieces);
}

function pushMember(
  pieces: Buffer[],
  { name, start, value }: MemberSpan,
  { bytes, spans: { target } }: RequestMessage,
  hop: Hop,
): void {
  if (name === "arguments" && hop.arguments !== undefined) {
    pieces.push(bytes.subarray(start, value.start), hop.arguments, COMMA_BYTES);
  } else if (target !== undefined && hop.target !== undefined && start < target.start && target.end <= value.end) {
    const known = Buffer.from(JSON.stringify(hop.target));
    pieces.push(bytes.subarray(start, target.start), known, bytes.subarray(target.end, value.end), COMMA_BYTES);
  } else {
    pieces.push(bytes.subarray(start, value.end), COMMA_BYTES);
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

/** The `_meta` of the next hop: the members that may pass, as they were sent, but those that belong to one hop. */
function hopMeta({ bytes, spans, meta }: RequestMessage, hop: Hop): Buffer[] {
  const kept: Buffer[] = [OPEN];
  // Who states no version speaks the older era, and is stated for.
  const states = hasRequestMeta(hop.era) && isMetaText(meta?.[VERSION_KEY]);
  for (const { name, start, value } of spans.metaMembers ?? []) {
    if (PASSED_META.get(name)?.(meta?.[name]) !== true) continue;
    // Written again below.
    if (name === TRACE_KEY && hop.traceparent !== undefined) continue;
    if (OF_NEWER_ERA.has(name) && !states) continue;
    kept.push(bytes.subarray(start, value.end), COMMA_BYTES);
  }
  let own = `"${CALL_KEY}":${hopCall(meta?.[CALL_KEY], hop)}`;
  if (hop.traceparent !== undefined) own += `,"${TRACE_KEY}":${JSON.stringify(hop.traceparent)}`;
  if (hasRequestMeta(hop.era) && !states) {
    if (hop.logLevel !== undefined) own += `,"${LOG_LEVEL_KEY}":${JSON.stringify(hop.logLevel)}`;
    const capabilities = hop.abilities === undefined ? "{}" : statedCapabilities(hop.abilities);
    own += `,"${VERSION_KEY}":"${hop.era}","${CLIENT_CAPABILITIES_KEY}":${capabilities},"${CLIENT_INFO_KEY}":${hop.clientInfo}`;
  }
  kept.push(Buffer.from(`${own}}`));
  return kept;
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
