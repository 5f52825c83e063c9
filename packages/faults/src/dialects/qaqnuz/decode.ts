import type { Fault, RetryWord } from "../../fault/fault.ts";
import { isFaultClass, KINDS } from "../../fault/kinds.ts";
import { unauthorized } from "../../reasons/library/auth.ts";
import { readCertainty } from "../certainty.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { quoteOf } from "../prose.ts";
import { firstText, isJson, type Json, memberAt, numberAt, objectAt, open, stringAt } from "../wire.ts";
import { CLASS_KEY, HINT_KEY } from "./encode.ts";
import { reasonFor } from "./reason.ts";
import { CLASS_ROWS } from "./table.ts";

/** Clients that are given no hint wait this long before the first repetition. */
const DEFAULT_WAIT_MS = 1_000;

/** Reads the envelope, the reply of a tool, or the reply with the envelope in `_meta` or `structuredContent`. */
export function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, status } = open(wire);
  const failed = result?.["isError"] === true;
  const envelope = envelopeIn(result);
  if (!failed && envelope === undefined) {
    // A key that is not accepted never gets as far as a tool.
    return status === 401 ? unauthorized.fault({}, { ...context, basis: "mapped" }) : undefined;
  }
  const sentence = envelope?.sentence ?? firstText(result);
  const group = isFaultClass(envelope?.group) ? envelope.group : undefined;
  const retry = group !== undefined && CLASS_ROWS[group].hint ? retryOf(envelope?.hint) : undefined;
  const reason = reasonFor(group, sentence);
  return reason.fault(
    {},
    {
      ...context,
      ...readCertainty(objectAt(result, "_meta") ?? result),
      ...quoteOf(sentence),
      ...(retry && { retry }),
      ...waitOf(reason),
    },
  );
}

/** What passes by itself is repeated after a wait, whether or not one is named. */
export function waitOf(reason: TableReason): { readonly afterMs?: number } {
  return KINDS[reason.kind].class === "retryable" ? { afterMs: DEFAULT_WAIT_MS } : {};
}

interface Envelope {
  readonly group: string | undefined;
  readonly sentence: string | undefined;
  readonly hint: unknown;
}

function envelopeIn(result: Json | undefined): Envelope | undefined {
  for (const at of [result, objectAt(result, "structuredContent"), objectAt(result, "_meta")]) {
    const group = stringAt(at, "error_class") ?? stringAt(at, CLASS_KEY);
    const sentence = stringAt(at, "sanitized_error");
    const hint = memberAt(at, "retry_hint") ?? memberAt(at, HINT_KEY);
    if (group !== undefined || sentence !== undefined) return { group, sentence, hint };
  }
  return undefined;
}

/** The hint as the peer's word; what does not fit is dropped when the fault is built. */
function retryOf(hint: unknown): RetryWord | undefined {
  if (!isJson(hint)) return undefined;
  const maxAttempts = numberAt(hint, "max_attempts");
  return {
    allowed: maxAttempts !== 0,
    afterMs: numberAt(hint, "retry_after_ms"),
    maxAttempts,
    backoff: stringAt(hint, "backoff"),
    jitter: numberAt(hint, "jitter"),
  } as RetryWord;
}
