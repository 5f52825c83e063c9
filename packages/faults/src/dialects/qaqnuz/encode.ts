import type { Fault, RetryWord } from "../../fault/fault.ts";
import { type Certainty, certaintyMeta, certaintyOf, NAMESPACE } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import type { Json } from "../wire.ts";
import { reasonFor } from "./reason.ts";
import { classFor, sentenceFor } from "./sentence.ts";
import { CLASS_ROWS } from "./table.ts";

/** What encoding may be told. */
export interface QaqnuzContext extends EncodeContext {
  /** The reply of a tool, or the envelope that stands behind it. */
  readonly form?: "wire" | "envelope" | undefined;
}

/** The reply of a failed tool: the flag and one sentence; class and hint stand in `_meta` for those who look. */
export interface QaqnuzReply {
  readonly result: {
    readonly content: readonly [{ readonly type: "text"; readonly text: string }];
    readonly isError: true;
    readonly _meta: Json;
  };
}

/** The envelope of a failed call. */
export interface QaqnuzEnvelope extends Certainty {
  readonly error_class: string;
  readonly sanitized_error: string;
  readonly retry_hint?: Json;
}

/** One of the two forms. */
export type QaqnuzWire = QaqnuzReply | QaqnuzEnvelope;

/** Keys in `_meta`. */
export const CLASS_KEY: string = `${NAMESPACE}/error_class`;
export const HINT_KEY: string = `${NAMESPACE}/retry_hint`;

/** The peer's word as the system's hint; a word that forbids repeating allows no attempts. */
function hintOf(retry: RetryWord | undefined): Json | undefined {
  if (retry === undefined) return undefined;
  const attempts = retry.allowed ? retry.maxAttempts : 0;
  const hint = {
    ...(retry.afterMs !== undefined && { retry_after_ms: retry.afterMs }),
    ...(attempts !== undefined && { max_attempts: attempts }),
    ...(retry.backoff !== undefined && { backoff: retry.backoff }),
    ...(retry.jitter !== undefined && { jitter: retry.jitter }),
  };
  return Object.keys(hint).length === 0 ? undefined : hint;
}

/** Writes a fault as a tool's reply, or as the envelope where the context asks for it. */
export function encode(fault: Fault, context: QaqnuzContext = {}): QaqnuzWire {
  const group = classFor(fault);
  const text = sentenceFor(fault);
  const hint = CLASS_ROWS[group].hint ? hintOf(fault.retry) : undefined;
  const certainty = certaintyOf(fault, reasonFor(group, text));
  if (context.form === "envelope") {
    return { error_class: group, sanitized_error: text, ...(hint && { retry_hint: hint }), ...certainty };
  }
  return {
    result: {
      content: [{ type: "text", text }],
      isError: true,
      _meta: { [CLASS_KEY]: group, ...(hint && { [HINT_KEY]: hint }), ...certaintyMeta(certainty) },
    },
  };
}
