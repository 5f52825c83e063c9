import { createDecoder } from "../define.ts";
import type { Dialect } from "../dialect.ts";
import { decodeQaqnuz } from "./decode.ts";
import { encodeQaqnuz, type QaqnuzContext, type QaqnuzWire } from "./encode.ts";
import { ERROR_CLASS_KEY, QAQNUZ_CONTRACT, qaqnuzCodes } from "./table.ts";

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
  contract: QAQNUZ_CONTRACT,
  codes: qaqnuzCodes,
  // The document guarantees that no text of a provider crosses the boundary, and that every call has its envelope.
  foreignText: "hide",
  envelope: { success: { [ERROR_CLASS_KEY]: null } },
};
