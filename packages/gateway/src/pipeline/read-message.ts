import { isUtf8 } from "node:buffer";
import type { Fault } from "@recourse/core";
import { callDeadline, encodingFault } from "@recourse/core/proxy";
import { content, protocol, transport } from "@recourse/core/reasons";
import {
  hasMessageHeaders,
  hasRequestMeta,
  headerIssues,
  isObject,
  type JsonObject,
  MessageOutline,
  memberAt,
  messageIssues,
  objectAt,
  paramIssues,
  REVISIONS,
  type Received,
  readableId,
  requestedVersion,
  revisionFor,
  VERSION_KEY,
} from "@recourse/core/wire";
import type { Call, Step } from "../call/call.ts";
import { callerDialect } from "../call/caller.ts";
import type { RequestHead } from "../call/head.ts";
import { isTooDeep, MAX_MESSAGE_DEPTH } from "../call/json-scanner.ts";
import { hasControl } from "../config/control-characters.ts";
import type { GatewayConfig } from "../config/types.ts";
import { announcedLength, MAX_DISCARDED } from "../edge/body.ts";
import type { FairPool } from "../limits/fair-pool.ts";
import { CallMemory, shareFault } from "../limits/shares.ts";
import { findSpans } from "./message-spans.ts";
import { isCallerAnswer, readCallerAnswer } from "./read-caller-answer.ts";

/** Reads the body and the message in it, and checks that headers and message agree. */
export function readMessage({ deadlineMs, maxRequestBytes }: GatewayConfig, memory: FairPool): Step {
  return (call) => {
    // Every call gets an answer, so the id has to be found even in a message that is too large.
    const outline = callerDialect(call)?.envelope === undefined ? undefined : new MessageOutline();
    const fault = checkSize(call.origin.head, outline === undefined ? maxRequestBytes : MAX_DISCARDED, maxRequestBytes);
    if (fault !== undefined) return fault;
    const hold = holdFor(call, memory);
    return call.origin.readBody({ observer: outline, hold }).then((body) => {
      if (Buffer.isBuffer(body)) {
        call.bodyBytes = body.length;
        return acceptBytes(call, body, deadlineMs);
      }
      if (body.reason === "content/message_too_large") call.bodyBytes = maxRequestBytes;
      if (outline !== undefined) refuseCall(call, outline.callId);
      return body;
    });
  };
}

/** Counts what is kept of a body against the share of its caller. */
function holdFor(call: Call, memory: FairPool): ((bytes: number) => Fault | undefined) | undefined {
  const { caller } = call;
  if (caller === undefined) return undefined;
  const held = new CallMemory(memory, caller);
  call.memory = held;
  return (bytes) => {
    if (held.take(bytes)) return undefined;
    return shareFault("memory", memory.fairShare(caller));
  };
}

function checkSize(head: RequestHead, limit: number, maxSize: number): Fault | undefined {
  const actualSize = announcedLength(head.header("content-length"));
  if (actualSize === undefined || actualSize <= limit) return undefined;
  return content.message_too_large.fault({ maxSize, actualSize });
}

/** Notes that the refused message is a call with an id. */
function refuseCall(call: Call, id: string | number | undefined): void {
  if (id === undefined) return;
  call.id = JSON.stringify(id);
  call.isRefusedCall = true;
  call.revision ??= revisionFor({ header: (name) => call.origin.head.header(name), message: undefined });
}

const NO_HEADER = () => undefined;

function acceptBytes(call: Call, bytes: Buffer, maxDeadlineMs: number): Fault | undefined {
  // JSON is UTF-8: other bytes must not silently become other characters.
  if (!isUtf8(bytes)) return encodingFault(bytes);
  if (isTooDeep(bytes)) return tooDeep(call, bytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(bytes.toString("utf8"));
  } catch {
    return protocol.parse_error.fault();
  }
  const received: Received = { header: (name) => call.origin.head.header(name), message: parsed };
  const stated = memberAt(objectAt(objectAt(parsed, "params"), "_meta"), VERSION_KEY);
  // Who states a version in the message speaks the newer era, and the header then has to agree.
  call.revision = revisionFor(stated === undefined ? received : { header: NO_HEADER, message: parsed });
  return checkMessage(call, bytes, parsed) ?? checkEra(call, received) ?? setDeadline(call, maxDeadlineMs);
}

function tooDeep(call: Call, bytes: Buffer): Fault {
  const outline = new MessageOutline();
  outline.take(bytes);
  const { id, callId } = outline;
  if (id !== undefined) call.id = JSON.stringify(id);
  refuseCall(call, callId);
  const issue = {
    pointer: "/params",
    rule: "custom",
    expected: `nested at most ${MAX_MESSAGE_DEPTH} levels deep`,
  } as const;
  return protocol.invalid_request.fault({}, { issues: [issue] });
}

/** Whether the value is an answer whose parts can be separated with certainty. */
function checkAnswer(call: Call, bytes: Buffer, parsed: JsonObject): Fault | undefined {
  const answer = readCallerAnswer(bytes, parsed);
  if (typeof answer === "string") return answer === "depth" ? tooDeep(call, bytes) : protocol.invalid_request.fault();
  call.callerAnswer = answer;
  return undefined;
}

/** Whether the value is one request or notification whose parts can be separated with certainty. */
function checkMessage(call: Call, bytes: Buffer, parsed: unknown): Fault | undefined {
  if (call.session !== undefined && isCallerAnswer(parsed, call.revision)) return checkAnswer(call, bytes, parsed);
  const issues = messageIssues(parsed);
  if (!isObject(parsed) || issues === undefined) return protocol.invalid_request.fault();
  const found = findSpans(bytes, parsed);
  // Of a repeated id nobody knows which one is meant.
  if (typeof found === "string") return found === "depth" ? tooDeep(call, bytes) : protocol.invalid_request.fault();
  const id = readableId(parsed);
  if (id !== undefined && found.id !== undefined) call.id = bytes.toString("utf8", found.id.start, found.id.end);
  const { method, params } = parsed;
  // A request that is an answer too may be read as either.
  const isAnswer = Object.hasOwn(parsed, "result") || Object.hasOwn(parsed, "error");
  if (issues.length > 0 || isAnswer || typeof method !== "string" || hasControl(method)) {
    return protocol.invalid_request.fault({}, issues.length > 0 ? { issues } : {});
  }
  const known = isObject(params) ? params : undefined;
  const meta = objectAt(known, "_meta");
  if (meta === undefined && known !== undefined && Object.hasOwn(known, "_meta")) {
    const issue = { pointer: "/params/_meta", rule: "type", expected: "an object" } as const;
    return protocol.invalid_request.fault({}, { issues: [issue] });
  }
  call.message = { method, id, params: known, meta, bytes, spans: found };
  return undefined;
}

/** What a request of the newer era has to state, and state twice. A notification is not answered, so it is not refused. */
function checkEra({ message, revision }: Call, received: Received): Fault | undefined {
  const requested = requestedVersion(received);
  if (message?.id === undefined) return undefined;
  if (hasMessageHeaders(revision)) {
    const issues = headerIssues(received);
    if (issues.length > 0) return protocol.header_mismatch.fault({}, { issues });
  }
  if (typeof requested === "string" && !(REVISIONS as readonly string[]).includes(requested)) {
    return protocol.version_unsupported.fault({ requested, supported: [...REVISIONS] });
  }
  if (!hasRequestMeta(revision)) return undefined;
  const issues = paramIssues(received);
  return issues.length > 0 ? protocol.invalid_params.fault({}, { issues }) : undefined;
}

/** From here on the call has a time by which it ends; it may be over already. A caller may ask for less than the most. */
function setDeadline(call: Call, maxDeadlineMs: number): Fault | undefined {
  const leftMs = Math.min(callDeadline(call.message?.meta) ?? maxDeadlineMs, maxDeadlineMs);
  call.deadlineMs = call.startedMs + leftMs;
  call.isAccepted = true;
  return leftMs > 0 ? undefined : transport.not_sent.fault();
}
