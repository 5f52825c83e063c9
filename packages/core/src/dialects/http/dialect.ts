import { amendFault, toSentFault, worseEffect } from "../../fault/amend.ts";
import type { Fault, Issue, Limit } from "../../fault/fault.ts";
import { isRetryable, KINDS, type Kind, knownKind } from "../../fault/kinds.ts";
import { serializeItem } from "../../reasons/http/header-values.ts";
import {
  effectiveStatus,
  OWN_CREDENTIAL_REASONS,
  type ReasonOverrideFor,
  readByTable,
  withRequestId,
} from "../../reasons/http/read-reply.ts";
import { type HttpReplyContext, type OpenedReply, openHttpReply } from "../../reasons/http/reply.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import { type JsonObject, memberAt } from "../../wire/json.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, Dialect, EncodeContext } from "../dialect.ts";
import { readPeerFault } from "../peer-fault.ts";
import { wireSentence } from "../sentence.ts";

/** Facts about the request, the service and the reader of an HTTP reply. */
export interface HttpDecodeContext extends DecodeContext, HttpReplyContext {}

/** Reads any HTTP reply: the fault in its body, or the reason that the table has for it. */
export function decodeHttp(wire: unknown, context: HttpDecodeContext = {}): Fault | undefined {
  return decodeHttpWith(wire, context, { overrideFor: () => undefined });
}

export interface HttpReading {
  /** What some statuses mean to the reader. */
  readonly overrideFor: ReasonOverrideFor;
  /** The sender was called itself, so a fault in its reply is its own word about the call. @default false */
  readonly believesFaults?: boolean;
}

/** Like `decodeHttp`, for readers that know more about the sender. */
export function decodeHttpWith(wire: unknown, context: HttpDecodeContext, reading: HttpReading): Fault | undefined {
  const reply = openHttpReply(wire, context);
  if (reply === undefined) return undefined;
  const stated = reply.status >= 400 ? readPeerFault(memberAt(reply.body, "fault"), context) : undefined;
  return withRequestId(readHttpReply(reply, stated, reading), reply);
}

function readHttpReply(
  reply: OpenedReply,
  stated: Fault | undefined,
  { overrideFor, believesFaults = false }: HttpReading,
): Fault | undefined {
  const { context } = reply;
  const isBelieved = believesFaults || context.speaksFaults === true;
  if (stated !== undefined && isBelieved) return ownCredentialFault(stated, context) ?? stated;
  const read = readByTable(reply, effectiveStatus(reply), overrideFor);
  return stated === undefined ? read : withStated(stated, read, reply, overrideFor);
}

/**
 * Of a fault in the body of a service that is not known to send faults, kind and wait are believed. What the status says
 * about the effect is never lowered.
 */
function withStated(stated: Fault, read: Fault | undefined, reply: OpenedReply, overrideFor: ReasonOverrideFor) {
  const status = KINDS[knownKind(stated)].httpStatus;
  const named = readByTable(reply, { status, guessed: false }, overrideFor) ?? read;
  if (named === undefined) return undefined;
  const effect = [stated.effect, ...(read === undefined ? [] : [read.effect])].reduce(worseEffect, named.effect);
  const { allowed = true, afterMs } = stated.retry ?? {};
  const isWait = afterMs !== undefined && named.retry?.afterMs === undefined && isRetryable(named.kind as Kind);
  return amendFault(named, { effect, ...(isWait && { retry: { allowed, afterMs } }) });
}

function ownCredentialFault(stated: Fault, context: HttpReplyContext): Fault | undefined {
  const reason = context.credential === "own" ? OWN_CREDENTIAL_REASONS[knownKind(stated)] : undefined;
  return reason?.fault({}, { effect: stated.effect, basis: stated.basis === "guessed" ? "guessed" : "mapped" });
}

/** An HTTP reply with an RFC 9457 problem document. Header names are in lower case. */
export interface HttpWire {
  /** The status of the reply. */
  readonly status: number;
  /** Headers that belong to the failure, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The problem document. */
  readonly body: JsonObject;
}

/**
 * HTTP: writes RFC 9457 problem documents with `Retry-After` and `RateLimit`, and reads any reply of any service.
 *
 * A fault in the body is believed as far as kind and wait, unless you say that the service speaks faults (`speaksFaults`).
 * Then a reader gets the same failure, with its texts as those of the service. A refused credential loses more: all become
 * `auth/unauthorized`, so nothing but effect and basis survive.
 *
 * @example
 * import { http } from "@recourse/faults/dialects";
 *
 * const response = await fetch("https://api.example.com/orders", { method: "POST", body });
 * const fault = http.decode(
 *   { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() },
 *   { httpMethod: "POST", now: Date.now() },
 * );
 * if (fault !== undefined) console.error(fault.kind, fault.effect, fault.recourse[0].do);
 */
export const http: Dialect<HttpWire, EncodeContext, HttpDecodeContext> = {
  name: "http",
  encode: encodeHttp,
  decode: createDecoder(decodeHttp),
};

export function encodeHttp(given: Fault, context: EncodeContext = {}): HttpWire {
  // The document contains the fault itself, so details of a refused credential have to go before it is written.
  const fault = uniformRefusal(given);
  const kind = knownKind(fault);
  const status = KINDS[kind].httpStatus;
  return {
    status,
    headers: problemHeaders(fault, status),
    body: {
      type: problemType(fault, context),
      title: PROBLEM_TITLES[kind],
      status,
      detail: wireSentence(fault),
      ...(fault.incident !== undefined && { instance: `urn:recourse:incident:${fault.incident}` }),
      ...(fault.issues !== undefined && { errors: fault.issues.map(problemIssue) }),
      fault: toSentFault(fault),
    },
  };
}

/** Every refused credential gets the same answer, so that a caller cannot find out why it was refused. */
function uniformRefusal(fault: Fault): Fault {
  if (knownKind(fault) !== "unauthenticated") return fault;
  const { effect, basis } = fault;
  return unauthorized.fault({}, { effect, basis });
}

const PROBLEM_TITLES = {
  invalid_input: "Invalid arguments",
  invalid_request: "Malformed request",
  unauthenticated: "Unauthorized",
  forbidden: "Forbidden",
  approval_required: "Approval required",
  rate_limited: "Too many requests",
  overloaded: "Overloaded",
  timeout: "Timeout",
  unavailable: "Unavailable",
  upstream_failed: "Upstream failed",
  not_found: "Not found",
  conflict: "Conflict",
  precondition_failed: "Precondition failed",
  unsupported: "Not supported",
  quota_exhausted: "Quota exhausted",
  cancelled: "Cancelled",
  internal: "Internal error",
  unknown: "Unknown error",
} as const satisfies Record<Kind, string>;

/** The page about the reason if there is one, else a URN. */
function problemType(fault: Fault, context: EncodeContext): string {
  const base = context.docsBase?.replace(/\/+$/, "");
  const page = base === undefined || fault.reason.startsWith("adhoc/") ? undefined : `${base}/${fault.reason}`;
  return fault.docs ?? page ?? `urn:recourse:reason:${fault.reason}`;
}

function problemHeaders(fault: Fault, status: number): Record<string, string> {
  const [first] = fault.recourse;
  // Other clients retry because of this header alone, so it is written only if retrying is the advice.
  const waitMs = first.do === "retry" ? (first.afterMs ?? fault.retry?.afterMs) : undefined;
  const policies = (fault.limits ?? []).map(policyItem).filter((item) => item !== undefined);
  const states = (fault.limits ?? []).map(stateItem).filter((item) => item !== undefined);
  return {
    "content-type": "application/problem+json",
    ...(waitMs !== undefined && { "retry-after": String(roundUpToSeconds(waitMs)) }),
    ...(policies.length > 0 && { "ratelimit-policy": policies.join(", ") }),
    ...(states.length > 0 && { ratelimit: states.join(", ") }),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
  };
}

function roundUpToSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

function policyItem(limit: Limit, index: number): string | undefined {
  if (limit.quota === undefined) return undefined;
  const w = limit.windowMs === undefined ? undefined : roundUpToSeconds(limit.windowMs);
  return serializeItem(limitName(limit, index), { q: limit.quota, qu: limit.unit, w });
}

function stateItem(limit: Limit, index: number): string | undefined {
  if (limit.remaining === undefined) return undefined;
  const t = limit.resetMs === undefined ? undefined : roundUpToSeconds(limit.resetMs);
  return serializeItem(limitName(limit, index), { r: limit.remaining, t });
}

/** Both headers need the same name for a limit. One without a usable name is named by its position. */
function limitName(limit: Limit, index: number): string {
  const { policy } = limit;
  if (policy !== undefined && /^[ -~]+$/.test(policy)) return policy;
  return index === 0 ? "default" : `default-${index + 1}`;
}

function problemIssue(issue: Issue): JsonObject {
  const detail = issue.message ?? issue.expected;
  return {
    pointer: `#${encodeURI(issue.pointer.toWellFormed())}`,
    code: issue.rule,
    ...(detail !== undefined && { detail }),
    ...(issue.suggestion !== undefined && { suggestion: issue.suggestion }),
  };
}
