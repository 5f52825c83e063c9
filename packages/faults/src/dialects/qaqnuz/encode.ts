import type { JsonObject } from "@recourse/wire";
import type { Fault, RetryAdvice } from "../../fault/fault.ts";
import { type CarriedMembers, carriedMembers, carriedMeta } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import {
  ERROR_CLASS_KEY,
  QAQNUZ_CLASSES,
  qaqnuzAdvice,
  qaqnuzClassFor,
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

/** The envelope of a failed call. */
export interface QaqnuzEnvelope extends CarriedMembers {
  readonly error_class: string;
  readonly sanitized_error: string;
  readonly retry_hint?: JsonObject;
}

/** What `qaqnuz.encode` writes, chosen by `form`. */
export type QaqnuzWire = QaqnuzReply | QaqnuzEnvelope;

/** Writes a fault as the reply of a tool, or as the envelope. */
export function encodeQaqnuz(fault: Fault, context: QaqnuzContext = {}): QaqnuzWire {
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
