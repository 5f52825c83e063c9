import { CALL_KEY, isObject, VERSION_KEY } from "@recourse/faults/internal-do-not-use";
import type { Span } from "../json/skip.ts";
import type { RequestMessage } from "./message.ts";

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
  /** The idempotency key in place of the one that was sent. @default as it was sent */
  readonly key?: string | undefined;
}

const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_KEY = "io.modelcontextprotocol/clientInfo";
const TRACE_KEY = "traceparent";
const NEWER = "2026-07-28";
const COMMA = Buffer.from(",");
const OPEN = Buffer.from("{");
const CLOSE = Buffer.from("}");
const META = Buffer.from('"_meta":');

/**
 * The params for the next hop: the bytes of the caller, with the name that the upstream knows and the `_meta` of this hop.
 * Whatever else was sent is copied, never written again.
 */
export function hopParams(message: RequestMessage, hop: Hop): Buffer {
  const { bytes, spans } = message;
  const meta = metaOf(message, hop);
  const { params } = spans;
  if (params === undefined) return Buffer.concat([OPEN, META, ...meta, CLOSE]);
  const changes: Change[] = [];
  if (spans.target !== undefined && hop.target !== undefined) {
    changes.push([spans.target, [Buffer.from(JSON.stringify(hop.target))]]);
  }
  if (spans.arguments !== undefined && hop.arguments !== undefined) changes.push([spans.arguments, [hop.arguments]]);
  if (spans.meta !== undefined) changes.push([spans.meta, meta]);
  else {
    // Behind the brace that opens the params; a member that follows is set apart.
    const hasMembers = message.params !== undefined && Object.keys(message.params).length > 0;
    const at = params.start + 1;
    changes.push([{ start: at, end: at }, [META, ...meta, ...(hasMembers ? [COMMA] : [])]]);
  }
  return spliced(bytes, params, changes);
}

/** A part of a text, and what stands there instead. */
type Change = readonly [Span, readonly Buffer[]];

/** The bytes of `whole` with other bytes in place of some parts. */
function spliced(bytes: Buffer, whole: Span, changes: Change[]): Buffer {
  const pieces: Buffer[] = [];
  let from = whole.start;
  for (const [{ start, end }, instead] of changes.sort(([one], [other]) => one.start - other.start)) {
    pieces.push(bytes.subarray(from, start), ...instead);
    from = end;
  }
  pieces.push(bytes.subarray(from, whole.end));
  return Buffer.concat(pieces);
}

/** The `_meta` of the next hop: the members that were sent, as they were sent, but those that belong to one hop. */
function metaOf({ bytes, spans, meta }: RequestMessage, hop: Hop): Buffer[] {
  const kept: Buffer[] = [OPEN];
  let states = false;
  let call: string | undefined;
  for (const { name, start, value } of spans.metaMembers ?? []) {
    if (name === CALL_KEY) {
      call = callOf(meta?.[CALL_KEY], hop);
    } else if (name === TRACE_KEY && hop.traceparent !== undefined) {
      // Written again below.
    } else if (isOfNewerEra(name)) {
      states ||= name === VERSION_KEY;
      if (hop.era === NEWER) kept.push(bytes.subarray(start, value.end), COMMA);
    } else {
      kept.push(bytes.subarray(start, value.end), COMMA);
    }
  }
  let own = `"${CALL_KEY}":${call ?? callOf(undefined, hop)}`;
  if (hop.traceparent !== undefined) own += `,"${TRACE_KEY}":${JSON.stringify(hop.traceparent)}`;
  if (hop.era === NEWER && !states) {
    own += `,"${VERSION_KEY}":"${NEWER}","${CAPABILITIES_KEY}":{},"${CLIENT_KEY}":${hop.clientInfo}`;
  }
  kept.push(Buffer.from(`${own}}`));
  return kept;
}

/** An upstream of the older era was given these when it was connected to, and may take the request for one of the newer. */
function isOfNewerEra(name: string): boolean {
  return name === VERSION_KEY || name === CAPABILITIES_KEY || name === CLIENT_KEY;
}

/** The facts about the attempt, with the time that is left on this hop. */
function callOf(sent: unknown, { deadlineMs, key }: Hop): string {
  if (!isObject(sent) && key === undefined) return `{"deadlineMs":${deadlineMs}}`;
  return JSON.stringify({ ...(isObject(sent) && sent), deadlineMs, ...(key !== undefined && { key }) });
}
