import type { FaultDetails } from "../../fault/build.ts";
import type { Fault, RetryAdvice } from "../../fault/fault.ts";
import { isFaultClass, KINDS } from "../../fault/kinds.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import { isObject, type JsonObject, memberAt, numberAt, objectAt, stringAt } from "../../wire/json.ts";
import { type CarriedMembers, carriedMembers, carriedMeta, readCarriedMembers } from "../carried-members.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, Dialect, EncodeContext, TableReason } from "../dialect.ts";
import { ERROR_CLASS_KEY, firstText, type ReplyParts, splitReply } from "../envelope.ts";
import { peerQuote } from "../sentence.ts";
import {
  QAQNUZ_CLASSES,
  QAQNUZ_CONTRACT,
  QAQNUZ_WAIT_MS,
  qaqnuzAdvice,
  qaqnuzClassFor,
  qaqnuzCodes,
  qaqnuzReason,
  RETRY_HINT_KEY,
  sanitizedSentence,
  wholeAdvice,
  withoutHiddenIncident,
} from "./table.ts";

/** Options for writing a fault for qaqnuz. */
export interface QaqnuzContext extends EncodeContext {
  /** What to write: the reply of a tool, or the envelope behind it. @default "wire" */
  readonly form?: "wire" | "envelope" | undefined;
}

/** The reply of a failed tool: `isError` and one sentence. Class and hint are in `_meta`. */
export interface QaqnuzReply {
  readonly result: {
    readonly content: readonly [{ readonly type: "text"; readonly text: string }];
    readonly isError: true;
    readonly _meta: JsonObject;
  };
}

export interface QaqnuzEnvelope extends CarriedMembers {
  readonly error_class: string;
  readonly sanitized_error: string;
  readonly retry_hint?: JsonObject;
}

/** What `qaqnuz.encode` writes, chosen by `form`. */
export type QaqnuzWire = QaqnuzReply | QaqnuzEnvelope;

function encodeQaqnuz(fault: Fault, context: QaqnuzContext = {}): QaqnuzWire {
  const group = qaqnuzClassFor(fault);
  const text = sanitizedSentence(fault);
  const hint = QAQNUZ_CLASSES[group].hint ? toRetryHint(qaqnuzAdvice(fault)) : undefined;
  const carried = carriedMembers(withoutHiddenIncident(fault), { reason: qaqnuzReason(group, text) });
  if (context.form === "envelope") {
    return { error_class: group, sanitized_error: text, ...(hint && { retry_hint: hint }), ...carried };
  }
  // The SDK sorts the members of what a handler answers. In the same order, an answer that never reached a handler is not
  // distinguished by its bytes: a hidden tool looks like an unknown one.
  return {
    result: {
      _meta: { [ERROR_CLASS_KEY]: group, ...(hint && { [RETRY_HINT_KEY]: hint }), ...carriedMeta(carried) },
      content: [{ type: "text", text }],
      isError: true,
    },
  };
}

/** The retry advice as a hint with all its members. Advice against repeating is a hint with no attempts. */
function toRetryHint(advice: RetryAdvice | undefined): JsonObject | undefined {
  const retry = wholeAdvice(advice);
  return (
    retry && {
      retry_after_ms: retry.afterMs,
      max_attempts: retry.maxAttempts,
      backoff: retry.backoff,
      jitter: retry.jitter,
    }
  );
}

/** Recognises one of the five classes in the envelope, in `structuredContent` or in `_meta`. */
export function isQaqnuzReply({ result }: ReplyParts): boolean {
  return envelopePlaces(result).some(
    (place) =>
      [memberAt(place, "error_class"), memberAt(place, ERROR_CLASS_KEY)].some(isFaultClass) ||
      (stringAt(place, "error_class") !== undefined && stringAt(place, "sanitized_error") !== undefined),
  );
}

/** Reads the envelope, alone or in a reply, and a reply with nothing but the sentence. */
export function decodeQaqnuz(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, status } = splitReply(wire);
  const failed = result?.["isError"] === true;
  const envelope = findQaqnuzEnvelope(result);
  if (!failed && envelope === undefined) {
    // A refused API key is answered before a tool is reached, with the status alone.
    return status === 401 ? unauthorized.fault({}, { ...context, basis: "mapped" }) : undefined;
  }
  const sentence = envelope?.sentence ?? firstText(result);
  const group = isFaultClass(envelope?.group) ? envelope.group : undefined;
  const retry = group !== undefined && QAQNUZ_CLASSES[group].hint ? fromRetryHint(envelope?.hint) : undefined;
  const reason = qaqnuzReason(group, sentence);
  return reason.fault(
    {},
    {
      ...context,
      ...readCarriedMembers(objectAt(result, "_meta") ?? result),
      ...peerQuote(sentence),
      ...(retry && { retry }),
      ...adviceOfClass(reason),
    },
  );
}

/** What the document advises for a class: a wait if the reply names none, and to stop after a permanent failure. */
function adviceOfClass({ kind }: TableReason): Pick<FaultDetails, "afterMs" | "recourse"> {
  switch (KINDS[kind].class) {
    case "retryable":
      return { afterMs: QAQNUZ_WAIT_MS };
    case "terminal":
      return { recourse: [{ do: "stop" }] };
    default:
      return {};
  }
}

interface QaqnuzParts {
  readonly group: string | undefined;
  readonly sentence: string | undefined;
  readonly hint: unknown;
}

function findQaqnuzEnvelope(result: JsonObject | undefined): QaqnuzParts | undefined {
  for (const place of envelopePlaces(result)) {
    const group = stringAt(place, "error_class") ?? stringAt(place, ERROR_CLASS_KEY);
    const sentence = stringAt(place, "sanitized_error");
    const hint = memberAt(place, "retry_hint") ?? memberAt(place, RETRY_HINT_KEY);
    if (group !== undefined || sentence !== undefined) return { group, sentence, hint };
  }
  return undefined;
}

function envelopePlaces(result: JsonObject | undefined): readonly (JsonObject | undefined)[] {
  return [result, objectAt(result, "structuredContent"), objectAt(result, "_meta")];
}

/** The hint as retry advice. Building the fault drops every member that does not fit. */
function fromRetryHint(hint: unknown): RetryAdvice | undefined {
  if (!isObject(hint)) return undefined;
  const maxAttempts = numberAt(hint, "max_attempts");
  return {
    allowed: maxAttempts !== 0,
    afterMs: numberAt(hint, "retry_after_ms"),
    maxAttempts,
    backoff: stringAt(hint, "backoff"),
    jitter: numberAt(hint, "jitter"),
  } as RetryAdvice;
}

/**
 * qaqnuz: one of five classes, one sentence that is safe to show, and a retry hint if repeating may help.
 *
 * The class, the retry hint of a class that has one, effect, basis and incident survive a round trip; the message becomes a
 * quote; the kind (except `rate_limited` and `unauthenticated`), params, issues, limits, origin, attempts, cause, time,
 * trace and docs are lost.
 *
 * @example
 * import { core } from "@recourse/faults/reasons";
 * import { qaqnuz } from "@recourse/dialects/qaqnuz";
 *
 * const { fault } = core.rate_limited({}, { retry: { allowed: true, afterMs: 2_000 } });
 * qaqnuz.encode(fault, { form: "envelope" });
 * // { error_class: "retryable", sanitized_error: "The rate limit is reached.",
 * //   retry_hint: { retry_after_ms: 2000, max_attempts: 2, backoff: "fixed", jitter: 0.2 } }
 */
export const qaqnuz: Dialect<QaqnuzWire, QaqnuzContext> = {
  name: "qaqnuz",
  encode: encodeQaqnuz,
  decode: createDecoder(decodeQaqnuz),
  contract: QAQNUZ_CONTRACT,
  codes: qaqnuzCodes,
  // The document guarantees that no text of a provider crosses the boundary, and that every call has its envelope.
  foreignText: "hide",
  envelope: { success: { [ERROR_CLASS_KEY]: null } },
};
