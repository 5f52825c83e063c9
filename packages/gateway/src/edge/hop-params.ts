import { CALL_KEY, isObject, VERSION_KEY } from "@recourse/faults/internal-do-not-use";
import { isKnownParam } from "./known-params.ts";
import type { MemberSpan, RequestMessage } from "./message.ts";

/** What a call sends to its upstream in answer to a request for input. */
export interface Round {
  /** The state of the upstream, as it gave it; undefined where it gave none. */
  readonly state: string | undefined;
  /** The answers as JSON; undefined where there are none. */
  readonly responses: Buffer | undefined;
}

/** What a request says about itself on its next hop. */
export interface Hop {
  /** Name or URI, as the upstream knows it; undefined where it stays as it was sent. */
  readonly target: string | undefined;
  /** The era of the upstream. */
  readonly era: "2025-11-25" | "2026-07-28";
  /** How long the answer is waited for. */
  readonly deadlineMs: number;
  readonly traceparent: string | undefined;
  /** The gateway as a client, as JSON, for callers that state nothing in each request. */
  readonly clientInfo: string;
  /** The arguments in place of those that were sent. @default as they were sent */
  readonly arguments?: Buffer | undefined;
  /** The idempotency key, as the upstream may know it. @default none */
  readonly key?: string | undefined;
  /** The answers to an earlier request of the upstream for input. @default none */
  readonly round?: Round | undefined;
}

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
const LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel";
const TRACE_KEY = "traceparent";
const NEWER = "2026-07-28";
const COMMA = Buffer.from(",");
const OPEN = Buffer.from("{");
const CLOSE = Buffer.from("}");
const META = Buffer.from('"_meta":');
const ARGUMENTS = Buffer.from('"arguments":');
const RESPONSES = Buffer.from('"inputResponses":');

/**
 * The params for the next hop: the members that the method has, in the bytes of the caller, with the name that the upstream
 * knows and the `_meta` of this hop. Their values are copied, never written again. Other members stay behind.
 */
export function hopParams(message: RequestMessage, hop: Hop): Buffer {
  const { method, spans } = message;
  const pieces: Buffer[] = [OPEN];
  const meta = metaOf(message, hop);
  if (spans.meta === undefined) pieces.push(META, ...meta, COMMA);
  for (const member of spans.paramMembers ?? []) {
    if (member.name === "_meta") pieces.push(META, ...meta, COMMA);
    else if (isKnownParam(method, member.name)) pushMember(pieces, member, message, hop);
  }
  if (spans.arguments === undefined && hop.arguments !== undefined) pieces.push(ARGUMENTS, hop.arguments, COMMA);
  const { state, responses } = hop.round ?? {};
  if (responses !== undefined) pieces.push(RESPONSES, responses, COMMA);
  if (state !== undefined) pieces.push(Buffer.from(`"requestState":${JSON.stringify(state)}`), COMMA);
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
    pieces.push(bytes.subarray(start, value.start), hop.arguments, COMMA);
  } else if (target !== undefined && hop.target !== undefined && start < target.start && target.end <= value.end) {
    const known = Buffer.from(JSON.stringify(hop.target));
    pieces.push(bytes.subarray(start, target.start), known, bytes.subarray(target.end, value.end), COMMA);
  } else {
    pieces.push(bytes.subarray(start, value.end), COMMA);
  }
}

const isText = (value: unknown): boolean => typeof value === "string";

/** What a caller may say to an upstream in `_meta`, and of which form. The rest could change what a call does, unread. */
const PASSED: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ["progressToken", (value) => isText(value) || typeof value === "number"],
  [TRACE_KEY, isText],
  ["tracestate", isText],
  ["baggage", isText],
  [VERSION_KEY, isText],
  [CAPABILITIES_KEY, isObject],
  [CLIENT_KEY, isObject],
  [LOG_LEVEL_KEY, isText],
]);

/**
 * An upstream of the older era was given these when it was connected to, or does not know them, and may take the request for
 * one of the newer.
 */
const OF_NEWER_ERA: ReadonlySet<string> = new Set([VERSION_KEY, CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY]);

/** The `_meta` of the next hop: the members that may pass, as they were sent, but those that belong to one hop. */
function metaOf({ bytes, spans, meta }: RequestMessage, hop: Hop): Buffer[] {
  const kept: Buffer[] = [OPEN];
  // Who states no version speaks the older era, and is stated for.
  const states = hop.era === NEWER && isText(meta?.[VERSION_KEY]);
  for (const { name, start, value } of spans.metaMembers ?? []) {
    if (PASSED.get(name)?.(meta?.[name]) !== true) continue;
    // Written again below.
    if (name === TRACE_KEY && hop.traceparent !== undefined) continue;
    if (OF_NEWER_ERA.has(name) && !states) continue;
    kept.push(bytes.subarray(start, value.end), COMMA);
  }
  let own = `"${CALL_KEY}":${callOf(meta?.[CALL_KEY], hop)}`;
  if (hop.traceparent !== undefined) own += `,"${TRACE_KEY}":${JSON.stringify(hop.traceparent)}`;
  if (hop.era === NEWER && !states) {
    own += `,"${VERSION_KEY}":"${NEWER}","${CAPABILITIES_KEY}":{},"${CLIENT_KEY}":${hop.clientInfo}`;
  }
  kept.push(Buffer.from(`${own}}`));
  return kept;
}

/** The facts about the attempt, with the time that is left on this hop. */
function callOf(sent: unknown, { deadlineMs, key }: Hop): string {
  const { id, attempt } = isObject(sent) ? sent : {};
  if (id === undefined && attempt === undefined && key === undefined) return `{"deadlineMs":${deadlineMs}}`;
  return JSON.stringify({
    ...(typeof id === "string" && { id }),
    ...(Number.isSafeInteger(attempt) && { attempt }),
    deadlineMs,
    ...(key !== undefined && { key }),
  });
}
