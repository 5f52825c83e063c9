import { createDecoder } from "../define.ts";
import type { Dialect } from "../dialect.ts";
import { applyLosses, type Losses } from "../losses.ts";
import { adviceOfClass, decodeQaqnuz } from "./decode.ts";
import { encodeQaqnuz, type QaqnuzContext, type QaqnuzWire } from "./encode.ts";
import {
  ERROR_CLASS_KEY,
  QAQNUZ_CLASSES,
  QAQNUZ_CONTRACT,
  type QaqnuzRow,
  qaqnuzAdvice,
  qaqnuzClassFor,
  qaqnuzCodes,
  qaqnuzReason,
  sanitizedSentence,
  wholeAdvice,
  withoutHiddenIncident,
} from "./table.ts";

/** The kinds of a class become one, except those that a fixed phrase names. */
const QAQNUZ_LOSSES: Losses<QaqnuzRow> = {
  row(fault) {
    const group = qaqnuzClassFor(fault);
    return { reason: qaqnuzReason(group, sanitizedSentence(fault)), hint: QAQNUZ_CLASSES[group].hint };
  },
  quote: sanitizedSentence,
  narrowed: {
    incident: (fault) => withoutHiddenIncident(fault).incident,
    retry: (fault, { hint }) => (hint ? wholeAdvice(qaqnuzAdvice(fault)) : undefined),
    afterMs: (_fault, { reason }) => adviceOfClass(reason).afterMs,
    recourse: (_fault, { reason }) => adviceOfClass(reason).recourse,
  },
};

/**
 * qaqnuz: one of five classes, one sentence that is safe to show, and a retry hint if repeating may help.
 *
 * The class, the retry hint of a class that has one, effect, basis and incident survive a round trip; the message becomes a
 * quote; the kind (except `rate_limited` and `unauthenticated`), params, issues, limits, origin, attempts, cause, time,
 * trace and docs are lost.
 *
 * @example
 * import { core } from "@recourse/faults";
 * import { qaqnuz } from "@recourse/faults/dialects";
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
  afterRoundTrip: (fault, context = {}) => applyLosses(QAQNUZ_LOSSES, fault, context),
  contract: QAQNUZ_CONTRACT,
  codes: qaqnuzCodes,
  // The document guarantees that no text of a provider crosses the boundary, and that every call has its envelope.
  foreignText: "hide",
  envelope: { success: { [ERROR_CLASS_KEY]: null } },
};
